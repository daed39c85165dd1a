# The command in a small image: no root, nothing to write, configurations at /work.
#
#   docker build --tag advisor .
#   docker run --rm --read-only --network none --volume "$PWD:/work:ro" advisor lint /work

FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv --without-pip /opt/advisor
RUN python -m pip --python /opt/advisor/bin/python install --quiet --no-cache-dir --disable-pip-version-check --no-compile /source
RUN python -m compileall -q /opt/advisor/lib/python3*/site-packages/advisor /opt/advisor/lib/python3*/site-packages/typer

FROM python:3.13-slim
COPY --from=build /opt/advisor /opt/advisor
ENV PATH=/opt/advisor/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
USER 65534:65534
WORKDIR /work
ENTRYPOINT ["advisor"]
CMD ["--help"]
