// The module CoreMotion: the motion manager that camera code asks how the phone is held, and its values. A test plays the sensors with
// `MotionConditions`, the one symbol without a counterpart of Apple's; without one the phone has no sensors, which the manager says.
// Coverage.md lists what there is.
@_exported import Foundation
