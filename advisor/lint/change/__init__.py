"""What two states of the same devices differ in: findings, and predictions of classes."""
