#!/bin/sh
# Runs the program that the arguments name: bazel's tests of programs are scripts.
exec "$@"
