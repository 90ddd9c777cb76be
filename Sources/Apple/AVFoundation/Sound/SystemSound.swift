import Foundation

/// Number of a sound of the system.
public typealias SystemSoundID = UInt32
/// Number that stands for a vibration.
public let kSystemSoundID_Vibrate: SystemSoundID = 0x0FFF

/// Plays a sound of the system; nothing sounds or shakes here.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {}
/// Plays an alert, which may shake the phone; nothing sounds or shakes here.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {}
/// Plays a sound of the system, and calls the block at once on a queue of Dispatch's; nothing sounds here.
public func AudioServicesPlaySystemSoundWithCompletion(_ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?) {
    if let inCompletionBlock { DispatchQueue.global().async(execute: inCompletionBlock) }
}
