import Foundation
import Synchronization

/// Number of a sound of the system.
public typealias SystemSoundID = UInt32
/// Number that stands for a vibration.
public let kSystemSoundID_Vibrate: SystemSoundID = 0x0FFF
/// Result of a call of AudioServices: success.
public let kAudioServicesNoError: OSStatus = 0

private let lastSound = Mutex<SystemSoundID>(0x1000)

/// Plays a sound of the system; nothing sounds or shakes here.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {}
/// Plays an alert, which may shake the phone; nothing sounds or shakes here.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {}
/// Plays a sound of the system, and calls the block at once on a queue of Dispatch's; nothing sounds here.
public func AudioServicesPlaySystemSoundWithCompletion(_ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?) {
    if let inCompletionBlock { DispatchQueue.global().async(execute: inCompletionBlock) }
}
/// Plays an alert, and calls the block at once on a queue of Dispatch's; nothing sounds or shakes here.
public func AudioServicesPlayAlertSoundWithCompletion(_ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?) {
    AudioServicesPlaySystemSoundWithCompletion(inSystemSoundID, inCompletionBlock)
}
/// Gives a file of sound a number of its own; the file is not read.
@discardableResult
public func AudioServicesCreateSystemSoundID(_ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>) -> OSStatus {
    outSystemSoundID.pointee = lastSound.withLock { last in
        last += 1
        return last
    }
    return kAudioServicesNoError
}
/// Forgets a sound; without effect.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus { kAudioServicesNoError }
