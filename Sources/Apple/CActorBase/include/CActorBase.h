// Base class of `actor X: NSObject`, which Swift's run time for Linux lacks. Nothing to call: linking the module suffices.
