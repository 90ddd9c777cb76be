@_exported import CameraProfiles
@_exported import CoreMedia
@_exported import CoreVideo
@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import QuartzCore
@_exported import simd

// The capture graph of an iOS 26 app, under Apple's names, on Linux.
//
// It is the session, its inputs and outputs, cinematic capture and its rules: what Apple documents it does, what Apple raises it
// raises (`CaptureEnvironment.Violation`), and what Apple leaves open it defines and says so. It has no camera, no detector and no
// lens of its own: those come in through the roles of one `CaptureEnvironment`, and without them there is no device to be found.
//
//     let device = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back)!
//     let input = try AVCaptureDeviceInput(device: device)
//     session.addInput(input)
//     if input.isCinematicVideoCaptureSupported { input.isCinematicVideoCaptureEnabled = true }
//     session.addOutput(metadataOutput)
//     metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
//     session.addOutput(videoOutput)
//     session.startRunning()
//
// `CapturePipeline` runs behind a session: source, decide, render. `FrameDecider` decides a frame's focus state, `FocusStage` applies the
// app's focus calls to it, `Delivery` calls the app.
//
// Coverage of Apple's API, symbol by symbol: Coverage.md.
