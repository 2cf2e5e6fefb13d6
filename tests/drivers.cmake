# SPDX-License-Identifier: MIT
# Other implementations of OpenCL than the one that the tests run on; each entry is skipped where its
# implementation is not installed. README.md says which forms of kernels are left out, and why.

# rhomb_add_driver_case(NAME DRIVERS COMMAND...): a run with these drivers, see other_driver.sh.
function(rhomb_add_driver_case name drivers)
  add_test(NAME ${name} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/other_driver.sh ${drivers} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS drivers SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()

# Intel's compiler for CPUs, beside PoCL's and alone.
rhomb_add_driver_case(intel_devices_agree pocl,intel
  bash ${CMAKE_CURRENT_SOURCE_DIR}/test_devices_agree.sh
  $<TARGET_FILE:rhomb_cli> $<TARGET_FILE:make_pair>)
rhomb_add_driver_case(intel_batch_models intel $<TARGET_FILE:test_batch> models)
rhomb_add_driver_case(intel_batch_lengths intel $<TARGET_FILE:test_batch> lengths)
rhomb_add_driver_case(intel_batch_modes_extend intel $<TARGET_FILE:test_batch_modes> extend 10)
rhomb_add_driver_case(intel_batch_modes_jobs intel $<TARGET_FILE:test_batch_modes> jobs 10)
rhomb_add_driver_case(intel_distance_homopolymers intel $<TARGET_FILE:test_distance> homopolymers)
rhomb_add_driver_case(intel_distance_auto intel $<TARGET_FILE:test_distance> auto)
rhomb_add_driver_case(intel_scores_strips intel $<TARGET_FILE:test_scores> strips 5)
rhomb_add_driver_case(intel_align_models intel $<TARGET_FILE:test_align> test_models)
rhomb_add_driver_case(intel_matrix intel $<TARGET_FILE:test_matrix>)

# Oclgrind, an interpreter that looks at every access: programs without known-answer tests, which
# would take it a minute or two for each, and tiny pairs.
function(rhomb_without_self_tests name)
  target_sources(${name} PRIVATE no_self_test.c)
  target_link_options(${name} PRIVATE -Wl,--wrap=rhomb__test_begin)
endfunction()
add_executable(rhomb_no_self_test $<TARGET_OBJECTS:rhomb_cli>)
target_link_libraries(rhomb_no_self_test PRIVATE rhomb_static rhomb_flags ${program_libs})
target_include_directories(rhomb_no_self_test PRIVATE ${PROJECT_SOURCE_DIR})
rhomb_add_program(test_tiny_splits SOURCES test_splits.c split_ways.c split_rig.c
                  LIBS rhomb_test_support OpenCL::OpenCL)
rhomb_build_quickly(test_tiny_splits)
rhomb_without_self_tests(rhomb_no_self_test)
rhomb_without_self_tests(test_tiny_splits)

foreach(part distance shared scores paths local batch modes splits)
  add_test(NAME oclgrind_${part} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/test_oclgrind.sh ${part}
           $<TARGET_FILE:rhomb_cli> $<TARGET_FILE:rhomb_no_self_test> $<TARGET_FILE:test_tiny_splits>)
  set_tests_properties(oclgrind_${part} PROPERTIES LABELS drivers SKIP_RETURN_CODE 77 TIMEOUT 900)
endforeach()

# Compilers alone, for GPUs of AMD's and Intel's: each family in one shape, and, labelled slow, in all.
function(rhomb_add_compiler_test name gpu lines)
  add_test(NAME ${name} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/test_kernels_gpu.sh
           ${PROJECT_SOURCE_DIR} ${gpu} ${lines})
  set_tests_properties(${name} PROPERTIES LABELS "drivers${ARGN}" SKIP_RETURN_CODE 77 TIMEOUT 900)
endfunction()
foreach(gpu gfx90a gfx942 gfx1100 dg2 mtl pvc)
  if(NOT gpu STREQUAL gfx90a) # where gfx942 is much like it
    rhomb_add_compiler_test(kernels_${gpu} ${gpu} first)
  endif()
  rhomb_add_compiler_test(kernels_${gpu}_slow ${gpu} all ";slow")
endforeach()
