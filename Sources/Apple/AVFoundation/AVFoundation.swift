@_exported import AVFAssets
@_exported import AVFAudio
@_exported import AVFCapture
@_exported import Combine
@_exported import Metal
@_exported import UniformTypeIdentifiers

// Media under Apple's names: the capture graph of an iOS 26 app in AVFCapture; assets, players, readers and writers in AVFAssets.
//
// Coverage of Apple's API, symbol by symbol: Coverage.md.
