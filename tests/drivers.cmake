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
set_tests_properties(intel_devices_agree PROPERTIES COST 500)
rhomb_add_driver_case(intel_batch_models intel $<TARGET_FILE:test_batch> models)
rhomb_add_driver_case(intel_batch_lengths intel $<TARGET_FILE:test_batch> lengths)
rhomb_add_driver_case(intel_batch_modes_extend intel $<TARGET_FILE:test_batch_modes> extend 10)
rhomb_add_driver_case(intel_batch_modes_jobs intel $<TARGET_FILE:test_batch_modes> jobs 10)
rhomb_add_driver_case(intel_distance_homopolymers intel $<TARGET_FILE:test_distance> homopolymers)
rhomb_add_driver_case(intel_distance_auto intel $<TARGET_FILE:test_distance> auto)
rhomb_add_driver_case(intel_scores_strips intel $<TARGET_FILE:test_scores> strips 5)
rhomb_add_driver_case(intel_align_models intel $<TARGET_FILE:test_align> test_models)
rhomb_add_driver_case(intel_matrix intel $<TARGET_FILE:test_matrix>)
