# SPDX-License-Identifier: MIT
# Calls of OpenCL, allocations and threads that fail.

# rhomb_add_fault_case(NAME PROGRAM VARIABLE=VALUE...): runs a program in which some of the calls fail,
# and, labelled slow, one in which all do.
function(rhomb_add_fault_case name program)
  set(variables ${ARGN}
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0:use_tls=0")
  add_test(NAME ${name} COMMAND ${program})
  set_tests_properties(${name} PROPERTIES LABELS "cl;faults" COST 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "${variables}")
  add_test(NAME ${name}_slow COMMAND ${program})
  set_tests_properties(${name}_slow PROPERTIES LABELS "cl;faults;slow" COST 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "${variables};RHOMB_TEST_EACH_FAULT=1")
endfunction()

# What fails, and the subjects. It brings its own OpenCL functions, and so must not be linked with the
# real ones: a function that fault_opencl.c lacks is an error here.
add_library(rhomb_test_faults STATIC
  fault_align.c fault_batch.c fault_checkpoint.c fault_device.c fault_driver.c fault_fixture.c
  fault_guide.c fault_local.c fault_matrix.c fault_opencl.c fault_paths.c fault_split.c)
target_include_directories(rhomb_test_faults PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
  $<TARGET_PROPERTY:OpenCL::OpenCL,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(rhomb_test_faults PUBLIC
  rhomb_test_support rhomb_flags PkgConfig::CMOCKA PkgConfig::HTSLIB ZLIB::ZLIB ${CMAKE_DL_LIBS})
target_compile_definitions(rhomb_test_faults
  PUBLIC _POSIX_C_SOURCE=200809L PRIVATE FAULT_OPENCL_LIBRARY="$<TARGET_FILE:OpenCL::OpenCL>")

# rhomb_add_fault_test(NAME): a program of NAME.c and the above.
function(rhomb_add_fault_test name)
  add_executable(${name} ${name}.c $<TARGET_OBJECTS:rhomb_objects>)
  target_link_libraries(${name} PRIVATE rhomb_test_faults)
  rhomb_add_fault_case(${name} ${name})
endfunction()

rhomb_add_fault_test(test_faults)
rhomb_add_fault_test(test_faults_beside)
target_link_options(test_faults_beside PRIVATE -Wl,--wrap=rhomb__quirks_of)
rhomb_add_fault_test(test_faults_garbage)
rhomb_add_fault_test(test_faults_memory)
rhomb_add_fault_test(test_small_devices)
add_test(NAME test_small_devices_classes COMMAND test_small_devices classes)
set_tests_properties(test_small_devices_classes PROPERTIES LABELS "cl;faults;slow" SKIP_RETURN_CODE 77)
rhomb_add_fault_test(test_faults_batch)
rhomb_add_fault_test(test_faults_matrix)
rhomb_add_fault_test(test_faults_shared)
set_property(TEST test_faults_shared test_faults_shared_slow APPEND PROPERTY
  ENVIRONMENT "POCL_DEVICES=pthread pthread" RHOMB_TEST_DEVICE=all)
# A device for each rank.
rhomb_add_fault_case(test_faults_ranks test_faults_shared "POCL_DEVICES=pthread pthread" RHOMB_TEST_RANKS=2)
rhomb_add_fault_test(test_faults_devices)
rhomb_add_fault_test(test_faults_split)
rhomb_add_fault_test(test_faults_paths)
rhomb_add_fault_test(test_faults_align)
rhomb_add_fault_test(test_faults_checkpoint)
rhomb_add_fault_test(test_faults_guide)
rhomb_add_fault_test(test_allocations)
foreach(function IN ITEMS malloc calloc realloc free fopen fdopen open_memstream opendir
        pthread_create)
  target_link_options(test_allocations PRIVATE -Wl,--wrap=${function})
endforeach()
