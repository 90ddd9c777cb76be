// The module AudioToolbox: sounds of the system, which stay silent here, and with them the layout of samples in memory. Coverage.md lists what there is.
@_exported import CoreMedia
@_exported import Foundation
