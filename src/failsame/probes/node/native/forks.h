/* What the parts of forks.node know of each other. */
#ifndef FAILSAME_FORKS_H
#define FAILSAME_FORKS_H

#define _GNU_SOURCE

#include <stdbool.h>

bool conditions_are_known(void); /* whether threads that wait were seen to begin it */
void renew_conditions(void);     /* in a child: nobody waits any more */
void forget_threads(void);       /* in a child: there are none but this one */

#endif
