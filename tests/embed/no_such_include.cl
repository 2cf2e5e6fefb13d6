/* The first line. */
#include "no_such_file.clh"
