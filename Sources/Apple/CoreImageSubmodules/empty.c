// A target has a source; this one has only a module map.
