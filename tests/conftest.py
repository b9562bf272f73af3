"""What every test rests on."""

import signal

# A shell starts what it puts in the background with SIGINT ignored, and children inherit that: tests that interrupt
# one would wait for ever. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_11
signal.signal(signal.SIGINT, signal.default_int_handler)
