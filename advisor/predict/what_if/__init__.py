"""Predictions of one device on request, with some of its settings moved."""

from advisor.predict.what_if.chosen import InputError
from advisor.predict.what_if.prediction import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_sources

__all__ = ["ClassPrediction", "InputError", "Unpredicted", "UnstatedPrediction", "predict_sources"]
