# SPDX-License-Identifier: MIT
# Kernels as host code, so that the sanitizers see every access.

# rhomb_add_emulated_kernel(FAMILY NAME=VALUE...): compiles emu/emu_FAMILY.c, which is cl/FAMILY.cl
# as host code, with one set of the parameters of cl/params.def; emulated_variants.h lists all sets.
function(rhomb_add_emulated_kernel family)
  set(name emulated_${family})
  foreach(parameter IN LISTS ARGN)
    string(REGEX REPLACE ".*=" "_" value ${parameter})
    string(APPEND name ${value})
  endforeach()
  list(TRANSFORM ARGN PREPEND RHOMB_)
  add_library(${name} OBJECT emu/emu_${family}.c)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cl emu)
  target_compile_definitions(${name} PRIVATE EMULATED_NAME=${name} ${ARGN})
  target_link_libraries(${name} PRIVATE rhomb_flags)
  # Vectors go to static functions only, so it is no matter how others would pass them. Sanitizers
  # make optimizing slow, up to 18 s for a kernel: these run for less time than that takes.
  target_compile_options(${name} PRIVATE -Wno-psabi $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  if(family MATCHES "^(bitsliced|batch_sliced)$" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # GCC 12 takes the branches of unpack_border() for accesses out of bounds.
    target_compile_options(${name} PRIVATE -fno-aggressive-loop-optimizations)
  endif()
  if(family MATCHES "^(batch_local|batch_extend|long_local)$" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Nor does it see that the rows of a strip are used only where they have begun.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(RHOMB_SANITIZE AND family MATCHES
     "^(affine_wavefront|batch|batch_extend|batch_local|bitparallel|split_wide)$")
    target_compile_options(${name} PRIVATE -O0)
  elseif(RHOMB_SANITIZE AND family MATCHES "^(bitsliced|batch_sliced)$" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    # An access is checked by a call, not by code of its own, which takes as long again to compile.
    target_compile_options(${name} PRIVATE "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
  endif()
  set_property(DIRECTORY APPEND PROPERTY RHOMB_EMULATED_${family} ${name})
endfunction()

# rhomb_add_emulated_kernels(FAMILY NAMES set...): one for each set of values, in the order of the names.
function(rhomb_add_emulated_kernels family names)
  string(REGEX REPLACE "[ \n]+" ";" names ${names})
  foreach(set IN LISTS ARGN)
    string(REPLACE " " ";" set ${set})
    set(parameters "")
    foreach(name value IN ZIP_LISTS names set)
      list(APPEND parameters ${name}=${value})
    endforeach()
    rhomb_add_emulated_kernel(${family} ${parameters})
  endforeach()
endfunction()

# Each shape with each kind of group, in both offset widths: tiles narrower than any plan has (they
# have the most edges), and in the last row the widest.
set(tile "PLANES OFFSET_BITS GROUP_SIZE ITEM_DIAGONALS TILE_SCORES")
rhomb_add_emulated_kernels(wavefront "${tile}"
  "2 32 1 9 4" "3 64 1 64 31" "8 32 1 3 1" "2 64 2 2 1" "3 32 2 5 4" "8 32 4 1 1" "2 32 8 1 3"
  "3 32 8 4 15" "2 64 8 3 11" "8 64 8 8 5" "2 32 64 1 19" "2 32 128 1 20"
  "2 32 1 8192 256" "2 32 1024 8 256")
rhomb_add_emulated_kernels(wavefront_diamond "${tile}"
  "8 32 1 64 31" "2 64 1 11 5" "3 32 4 1 1" "8 64 4 1 1" "2 32 8 4 5" "3 64 8 4 15"
  "2 64 1 8192 256")

# Strips from 32 to 1024 rows, one item or several, one word or several; and vectors.
rhomb_add_emulated_kernels(bitparallel "PLANES GROUP_SIZE ITEM_WORDS LANES"
  "2 1 1 1" "2 4 2 1" "3 4 1 1" "3 1 2 1" "8 8 1 1" "8 1 4 1" "2 8 4 1" "3 2 8 1" "2 1 1 16"
  "3 1 2 16" "8 1 4 16" "2 1 8 16")

# Strips from 32 to 1536 rows: unit costs (nothing saved), penalties whose z has a short
# form (2 * (OPEN + EXTEND) is a power of two), others, two pieces, and large numbers.
rhomb_add_emulated_kernels(bitsliced
  "PLANES GROUP_SIZE ITEM_WORDS LANES MISMATCH OPEN EXTEND OPEN_2 EXTEND_2"
  "2 1 1 1 1 0 1 0 0" "3 2 1 1 2 3 1 0 0" "2 4 2 1 2 3 1 0 0" "8 8 1 1 1 1 1 0 0"
  "2 1 8 1 4 5 2 0 0" "3 1 3 1 5 8 2 24 1" "8 2 2 1 3 0 4 9 3" "2 1 2 1 7 6 2 8 1"
  "2 2 1 1 19 39 3 81 1" "2 4 1 1 2000 900 411 32000 5" "2 1 1 16 2 3 1 0 0" "3 1 2 16 4 5 3 0 0"
  "2 1 1 16 19 39 3 81 1" "8 1 3 16 1 0 1 0 0" "2 1 1 16 6 1 2 4 1")

# Bases as they are (groups of one alone), and planes for four, sixteen and all symbols.
rhomb_add_emulated_kernels(batch "PLANES OFFSET_BITS GROUP_SIZE PATH IN_PLACE"
  "0 32 1 1 1" "0 32 1 0 0" "2 32 1 1 1" "2 32 8 1 0" "2 32 8 0 0" "2 32 32 1 0" "4 32 4 1 1"
  "4 32 1 0 0" "8 32 2 1 0" "8 32 256 1 1")

# Lanes of 16 and 32 bits, groups of which several items share a pair, or two in halves; local, with
# free ends, and extensions.
rhomb_add_emulated_kernels(batch_local "PLANES GROUP_SIZE ITEM_ROWS LANES BITS PTX PIECES EDGES"
  "2 1 8 16 16 0 1 0" "2 1 4 16 32 0 2 0" "2 1 2 16 32 0 1 1" "4 8 4 1 32 0 1 0" "2 4 3 1 32 0 2 0"
  "2 8 2 1 32 0 2 1" "2 16 4 1 32 0 1 1" "2 8 4 2 16 0 1 0" "4 4 3 2 16 0 2 0" "2 8 3 2 16 0 2 1"
  "4 16 4 2 16 0 1 1" "2 1 2 16 16 0 1 2" "2 1 3 16 32 0 2 2" "4 8 3 1 32 0 1 2" "2 4 4 1 32 0 2 2"
  "2 8 3 2 16 0 1 2" "4 16 4 2 16 0 2 2")
# Teams of all sizes in groups of several, and lanes: costs alone and paths, one to three words of rows; penalties
# whose z has a short form, openings that cost nothing, mismatches that two gaps replace or that cost as
# much, two pieces, large numbers.
rhomb_add_emulated_kernels(batch_sliced
  "PLANES GROUP_SIZE ITEM_WORDS LANES PATH MISMATCH REPLACED OPEN EXTEND OPEN_2 EXTEND_2"
  "2 8 1 1 1 2 0 3 1 0 0" "2 2 1 1 1 1 0 0 1 0 0" "4 4 2 1 1 4 0 4 2 24 1" "2 8 2 1 0 2 0 3 1 0 0"
  "8 4 3 1 1 8 1 3 1 0 0" "2 32 1 1 1 5 0 6 4 20 1" "2 4 3 1 0 19 0 39 3 81 1"
  "2 4 1 1 1 2000 0 900 411 32000 5" "4 8 1 1 1 10 1 0 5 9 3" "2 2 2 1 1 6 0 1 2 4 1"
  "2 32 2 1 0 8 1 0 4 0 0" "2 1 1 16 1 2 0 3 1 0 0" "4 1 2 16 1 4 0 4 2 24 1" "2 1 1 16 0 2 0 3 1 0 0"
  "8 1 1 16 1 10 1 0 5 9 3" "2 1 3 16 0 19 0 39 3 81 1" "2 1 1 16 1 1 0 0 1 0 0")
# One long pair: vectors and groups, with one item or many; free ends, extensions, local.
rhomb_add_emulated_kernels(long_local "PLANES GROUP_SIZE ITEM_ROWS LANES PIECES MODE"
  "2 1 1 16 1 3" "4 1 3 16 2 3" "2 2 3 1 1 3" "2 4 2 1 2 3" "4 8 4 1 1 3" "8 32 1 1 2 3"
  "2 1 2 16 1 1" "4 1 1 16 2 1" "2 2 3 1 2 1" "4 8 2 1 1 1" "8 32 1 1 2 1"
  "2 1 2 16 1 2" "4 1 1 16 2 2" "2 2 3 1 2 2" "4 8 2 1 1 2" "8 32 1 1 2 2"
  "2 1 2 16 1 4" "4 1 3 16 2 4" "2 2 8 1 2 4" "4 8 8 1 1 4" "8 4 16 1 2 4")
rhomb_add_emulated_kernels(batch_extend "PLANES GROUP_SIZE ITEM_ROWS PIECES"
  "2 1 0 1" "2 1 0 2" "2 8 0 1" "4 8 4 1" "2 32 4 2" "2 16 16 1" "2 4 8 2")

# Groups of a CPU and of a GPU; a mismatch that two gaps replace, two pieces, and large numbers.
rhomb_add_emulated_kernels(affine_path
  "PLANES OFFSET_BITS GROUP_SIZE MISMATCH OPEN EXTEND OPEN_2 EXTEND_2"
  "2 32 1 2 3 1 0 0" "2 32 1 4 4 2 24 1" "3 32 1 0 0 2 0 0" "2 32 2 0 3 1 0 0" "2 32 8 2 3 1 0 0"
  "4 32 8 5 6 4 20 1" "8 32 1 40 78 7 162 3" "2 32 32 4 0 2 0 0" "2 32 16 2000 900 411 30000 5")

# Groups of a CPU and of a GPU; costs that items hold in registers and that they do not; two pieces;
# tiles in local and in global memory. As narrow as can be, and several words of masks.
rhomb_add_emulated_kernels(affine_wavefront
  "PLANES OFFSET_BITS GROUP_SIZE ITEM_DIAGONALS TILE_SCORES TILE_LOCAL
   MISMATCH OPEN EXTEND OPEN_2 EXTEND_2"
  "2 32 1 64 8 0 2 3 1 0 0" "3 64 1 64 27 0 4 4 2 24 1" "2 32 8 8 8 1 2 3 1 0 0"
  "3 32 32 1 6 1 2 3 1 0 0" "2 32 4 40 12 1 6 4 3 0 0" "2 64 8 16 20 1 10 12 5 0 0"
  "3 32 8 24 27 0 4 4 2 24 1" "2 32 16 4 5 1 1 0 1 0 0" "2 32 256 4 128 1 2 3 1 0 0")

# Groups of a CPU and of a GPU, columns in local and in global memory.
rhomb_add_emulated_kernels(split "PLANES OFFSET_BITS GROUP_SIZE IN_PLACE"
  "2 32 1 1" "4 64 1 1" "2 32 2 0" "8 64 2 1" "2 64 8 0" "4 32 8 1" "2 32 32 0")

# Tiles for large parts of an alignment: as narrow as can be, and several sizes of groups.
rhomb_add_emulated_kernels(split_wide "${tile}"
  "8 64 1 3 1" "2 32 1 8 3" "4 32 2 2 1" "2 64 2 8 5" "2 32 8 1 3" "8 64 8 2 5" "4 32 8 8 30"
  "4 64 32 1 13" "2 32 32 2 20" "2 64 32 8 64")

# emulated_variants.h lists the variants of all families.
set(emulated_maps "")
foreach(path IN LISTS RHOMB_KERNEL_FAMILIES)
  get_filename_component(family ${path} NAME)
  get_property(names DIRECTORY PROPERTY RHOMB_EMULATED_${family})
  string(TOUPPER ${family} upper)
  list(TRANSFORM names REPLACE "(.+)" "X(\\1)" OUTPUT_VARIABLE calls)
  string(JOIN " " calls ${calls})
  string(APPEND emulated_maps "#define EMULATED_${upper}_MAP(X) ${calls}\n")
endforeach()
file(CONFIGURE OUTPUT emulated_variants.h CONTENT "${emulated_maps}" @ONLY)

add_library(emulated_support OBJECT emu/emu_borders.c emu/emu_group.c emu/emu_pack.c emu/emu_packed.c
            emu/emu_pairs.c)
target_include_directories(emulated_support PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cl
                           ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(emulated_support PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(emulated_support PRIVATE rhomb_static rhomb_flags PkgConfig::CMOCKA)

# rhomb_add_emulated_test(NAME SOURCES file... [FAMILIES family...] [SHARE percent]): a program with
# all variants of these families. It takes such a share of its pairs, 100 unless told.
function(rhomb_add_emulated_test name)
  cmake_parse_arguments(E "" "SHARE" "SOURCES;FAMILIES" ${ARGN})
  set(objects $<TARGET_OBJECTS:emulated_support>)
  foreach(family IN LISTS E_FAMILIES)
    get_property(names DIRECTORY PROPERTY RHOMB_EMULATED_${family})
    list(TRANSFORM names REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
    list(APPEND objects ${names})
  endforeach()
  rhomb_add_test(${name} SOURCES ${E_SOURCES} ${objects} LABELS unit emulated
                 ARGS ${E_SHARE} LIBS rhomb_test_support OpenCL::OpenCL)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/cl)
  set_tests_properties(${name} PROPERTIES COST 200)
endfunction()

rhomb_add_emulated_test(test_emulated SOURCES test_emulated.c FAMILIES wavefront wavefront_diamond)
rhomb_add_emulated_test(test_emulated_ranges SOURCES test_emulated_ranges.c)
rhomb_add_emulated_test(test_emulated_wavefront FAMILIES wavefront
  SOURCES test_emulated_wavefront.c wavefront_model.c emu/emu_pyramid.c)
rhomb_add_emulated_test(test_emulated_distance FAMILIES wavefront wavefront_diamond
  SOURCES test_emulated_distance.c wavefront_model.c emu/emu_pyramid.c)
rhomb_add_emulated_test(test_emulated_sweep FAMILIES bitparallel
  SOURCES test_emulated_sweep.c plain_sweep.c sweep_model.c sweep_rig.c)
rhomb_add_emulated_test(test_emulated_shared FAMILIES bitparallel bitsliced
  SOURCES test_emulated_shared.c sweep_rig.c)
rhomb_add_emulated_test(test_emulated_sliced SHARE 40 FAMILIES bitsliced
  SOURCES test_emulated_sliced.c plain_sweep.c path_cover.c sweep_model.c sweep_rig.c)
rhomb_add_emulated_test(test_emulated_batch SOURCES test_emulated_batch.c FAMILIES batch)
rhomb_add_emulated_test(test_emulated_affine FAMILIES affine_wavefront SOURCES test_emulated_affine.c)
rhomb_add_emulated_test(test_emulated_batch_modes FAMILIES batch_local batch_extend
  SOURCES test_emulated_batch_modes.c)
rhomb_add_emulated_test(test_emulated_batch_sliced FAMILIES batch_sliced
  SOURCES test_emulated_batch_sliced.c)
rhomb_add_emulated_test(test_emulated_long_local FAMILIES long_local
  SOURCES test_emulated_long_local.c)
rhomb_add_emulated_test(test_emulated_affine_path FAMILIES affine_path
  SOURCES test_emulated_affine_path.c)
rhomb_add_emulated_test(test_emulated_split FAMILIES split
  SOURCES test_emulated_split.c)
rhomb_add_emulated_test(test_emulated_split_wide FAMILIES split_wide
  SOURCES test_emulated_split_wide.c)
