// A library to preload, without functions to call.
