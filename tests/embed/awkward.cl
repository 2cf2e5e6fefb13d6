#include "first.clh"
#  include	"second.clh" // a comment behind it
/* Text that a list of lines would lose: ; ;; [ ] [[ ]] [=[ ]=] ${IN} $ENV{HOME} @NAME@ \; */
#define JOIN(a, b) \
    a##b[0]; \
    b
#define NOT_AN_INCLUDE \
#include "missing.clh"
#include <stdint.h>
__constant char text[] = "quotes \" and \\ and \n and ??= and ??/ and %s";
    #include "first.clh"
line 11, below the second include of first.clh
tab	here, form feed  here, a carriage return
Umlaut äöü, (unbalanced { [ ( "
// #include "missing.clh"
ends with a backslash and no newline \