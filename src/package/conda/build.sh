#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# conda-build runs this in the sources. No package has minimap2's library and its headers.
set -eu -o pipefail

# shellcheck disable=SC2086 # CMAKE_ARGS is words
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS-} -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DRHOMB_TESTS=OFF -DRHOMB_BENCH=OFF -DRHOMB_SKETCH=OFF
cmake --build build-conda --parallel "${CPU_COUNT:-2}"
cmake --install build-conda
