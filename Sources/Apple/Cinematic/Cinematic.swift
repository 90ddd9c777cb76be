@_exported import AVFoundation
@_exported import Metal

// Apple's Cinematic framework over this project's cinematic movie: who is in focus, decided again and rendered again.
//
//     let asset = AVURLAsset(url: url)
//     let script = try await CNScript(asset: asset, changes: nil, progress: nil)
//     let frame = script.frame(at: time, tolerance: tolerance)!
//     script.addUserDecision(CNDecision(time: time, detectionID: frame.allDetections[0].detectionID!, strong: true))
//
//     let attributes = try await CNRenderingSession.Attributes(asset: asset)
//     let session = CNRenderingSession(
//         commandQueue: queue, sessionAttributes: attributes, preferredTransform: .identity, quality: .export)
//
// It reads a movie through `AVAsset` and `AVAssetReader` like any app, decides with `Focus`, and renders with the lens of the asset's environment. A
// phone's own metadata are private: such a movie has no script here. Coverage.md lists what there is.
