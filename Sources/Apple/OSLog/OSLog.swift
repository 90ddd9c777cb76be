// The module OSLog: the same logging as `os`. Reading the log back (`OSLogStore`) is absent.
@_exported import os
