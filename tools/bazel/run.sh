#!/bin/sh
# Runs its arguments as a command: a program as a test of Bazel, which must be a script.
exec "$@"
