// Swift Testing asks for this module in every file that imports it together with CoreImage. Apple's attaches pictures to tests; the
// toolchain for Linux has none.
