# SPDX-License-Identifier: MIT
# What fails in our own OpenCL, allocations and locks.

add_library(rhomb_test_faults STATIC
  fault_align.c fault_allocations.c fault_many.c fault_split.c fault_subjects.c fault_tester.c)
target_include_directories(rhomb_test_faults PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(rhomb_test_faults PUBLIC rhomb_test_support OpenCL::OpenCL PRIVATE rhomb_flags)
target_compile_definitions(rhomb_test_faults PRIVATE _POSIX_C_SOURCE=200809L)

# rhomb_add_fault_test(NAME [CASE...]): NAME.c and the above; for each case a run in which some calls
# fail, and, labelled slow, one in which all do.
function(rhomb_add_fault_test name)
  rhomb_add_program(${name} SOURCES ${name}.c LIBS rhomb_test_faults rhomb_test_support)
  foreach(function IN ITEMS malloc calloc realloc free fopen fdopen open_memstream opendir pthread_create fcntl)
    target_link_options(${name} PRIVATE -Wl,--wrap=${function})
  endforeach()
  foreach(case IN LISTS ARGN)
    rhomb_add_case(${name}_${case} ${name} LABELS faults ARGS ${case})
    rhomb_add_case(${name}_${case}_slow ${name} LABELS faults slow ARGS ${case})
    set_property(TEST ${name}_${case}_slow APPEND PROPERTY ENVIRONMENT RHOMB_TEST_EACH_FAULT=1)
  endforeach()
endfunction()

rhomb_add_fault_test(test_faults calls first)
# The same on a GPU, with a bus that pinned memory is for.
rhomb_add_case(test_faults_pinned test_faults LABELS faults ARGS calls pinned)
set_property(TEST test_faults_pinned APPEND PROPERTY ENVIRONMENT RHOMB_TEST_OPENCL=gpu,gpu)
foreach(test IN ITEMS test_fault_devices test_fault_garbage test_small_devices)
  rhomb_add_fault_test(${test})
  rhomb_add_case(${test} ${test} LABELS faults)
endforeach()
rhomb_add_case(test_small_devices_classes test_small_devices LABELS faults slow ARGS classes)
