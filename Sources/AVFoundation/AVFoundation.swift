@_exported import CoreMedia
@_exported import CoreVideo
@_exported import Dispatch
@_exported import Foundation

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
// `CapturePipeline` runs behind a session: source, decide, render. `FrameDecider` settles a frame's story, `FocusStage` holds the app's
// focus calls against it, `Delivery` calls the app.
//
// How much of Apple's API is there:
//
// done     AVCaptureDeviceInput's cinematic members; AVCaptureDevice: focus calls, scene monitoring, lock, formats, frame durations, zoom
//          with ramps, authorization, preferred cameras, hot plug, pressure, lookup by ID; DiscoverySession; RotationCoordinator;
//          Format's cinematic members; AVCaptureSession: presets, interruptions, runtime errors, multitasking;
//          AVCaptureConnection: rotation, mirroring, enabled, active, videoOrientation; AVCaptureMetadataOutput; metadata objects;
//          AVCaptureVideoPreviewLayer's conversions; output rect conversions; NotificationCenter.notifications(named:);
//          AVCaptureDepthDataOutput; AVDepthData, uncalibrated; AVCaptureDataOutputSynchronizer; AVSampleBufferDisplayLayer and its renderer;
//          DispatchSerialQueue as an actor's executor; observe(_:options:) with all four options on session, device, input, connection,
//          discovery and rotation
// partial  AVCaptureSession: pictures are never scaled, so a preset that names a size wants a format of it; hardwareCost knows video data
//          outputs only; one camera and one microphone. AVCaptureDevice: focus, exposure, white balance, torch and stabilization are kept
//          and checked but change no picture, and zoom crops none; a prompt left open does not blacken frames.
//          AVCaptureVideoDataOutput: late frames and the pool by a scripted client; no asset writer settings.
//          AVCaptureMovieFileOutput: the whole life of a recording and its limits; H.264 alone, no sound, no metadata items, no track
//          matrix, no fragments. AVCapturePhotoOutput: the next frame as a pixel buffer; no codecs, flash, RAW, Live Photo or depth.
//          Microphones are devices and inputs with their modes. Faces have no roll angle. KVO by key path only: the class property
//          systemPreferredCamera, availableMetadataObjectTypes and synchronizationClock tell nothing; .prior is told with the change
// absent   audio output; controls; deferred start; wide color; manual temperature and tint; focus rectangles; face-driven focus; auto frame
//          rate; multi-cam
