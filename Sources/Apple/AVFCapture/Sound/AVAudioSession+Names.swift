import Foundation

/// User info key of an interruption's `InterruptionType`, as its raw value.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// User info key of `InterruptionOptions` at the end of an interruption, as their raw value.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// User info key of the `RouteChangeReason`, as its raw value.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// User info key of the route before the change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

extension AVAudioSession {
    /// Posted when another app takes the sound, and when it gives it back.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    /// Posted when the route changed.
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
    /// Posted when the media services were lost; here by tests alone.
    public static let mediaServicesWereLostNotification = Notification.Name("AVAudioSessionMediaServicesWereLostNotification")
    /// Posted when the media services started again; here by tests alone.
    public static let mediaServicesWereResetNotification = Notification.Name("AVAudioSessionMediaServicesWereResetNotification")
    /// Posted when other apps' main sound begins or ends; here by tests alone.
    public static let silenceSecondaryAudioHintNotification = Notification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")

    /// Use of sound.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes a category from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Plays beside other apps.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Plays, and silences other apps; the default.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Plays what the app is for.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Records.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Records and plays.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Plays to several outputs at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")

        /// Options that the category has, as Apple documents them, with `hasInput`; phones also take `.duckOthers` to record, as apps that dictate do.
        var options: CategoryOptions {
            switch self {
            case .ambient: [.mixWithOthers, .duckOthers]
            case .playback: [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
            case .record: [.hasInput, .duckOthers, .allowBluetooth, .overrideMutedMicrophoneInterruption]
            case .multiRoute: [.hasInput, .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
            case .playAndRecord:
                [
                    .hasInput, .mixWithOthers, .duckOthers, .allowBluetooth, .defaultToSpeaker, .interruptSpokenAudioAndMixWithOthers,
                    .allowBluetoothA2DP, .allowAirPlay, .overrideMutedMicrophoneInterruption,
                ]
            default: []
            }
        }
    }

    /// Special use of sound within a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes a mode from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// None in particular.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Telephony over the net.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Talk within a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Sound of a movie that is being recorded.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Sound without processing.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Movies.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Telephony with pictures.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that others' speech interrupts.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Announcements.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// Exceptions from a category's rules.
    public struct CategoryOptions: OptionSet, Sendable {
        /// Bit mask.
        public let rawValue: UInt
        /// Makes options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Other apps go on playing.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Other apps play more softly.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Hands-free Bluetooth devices.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// Hands-free Bluetooth devices, by the name of newer systems.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// The loudspeaker in place of the ear.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Speech of other apps is interrupted, the rest goes on.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Bluetooth devices that play music.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay devices.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// Goes on when the system mutes the microphone.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
        /// Whether a category records; no option of Apple's.
        static let hasInput = CategoryOptions(rawValue: 1 << 40)
    }

    /// Options of activation.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// Bit mask.
        public let rawValue: UInt
        /// Makes options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Other apps hear that they may go on.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// Kind of output that sound may be sent to.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// As for any app.
        case `default` = 0
        /// As for music and podcasts.
        case longFormAudio = 1
        /// Independent of others.
        case independent = 2
        /// As for movies.
        case longFormVideo = 3
    }

    /// Output in place of the one that the category has.
    public enum PortOverride: UInt, Sendable {
        /// None.
        case none = 0
        /// The loudspeaker.
        case speaker = 0x7370_6B72
    }

    /// Begin or end of an interruption.
    public enum InterruptionType: UInt, Sendable {
        /// The end.
        case ended = 0
        /// The begin.
        case began = 1
    }

    /// Advice at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// Bit mask.
        public let rawValue: UInt
        /// Makes options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The interrupted work should go on.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// Reason of a change of the route.
    public enum RouteChangeReason: UInt, Sendable {
        /// Not known.
        case unknown = 0
        /// A device was plugged in.
        case newDeviceAvailable = 1
        /// A device was unplugged.
        case oldDeviceUnavailable = 2
        /// The category changed.
        case categoryChange = 3
        /// The app chose another route.
        case `override` = 4
        /// The phone woke up.
        case wakeFromSleep = 6
        /// No device fits the category.
        case noSuitableRouteForCategory = 7
        /// The route's settings changed.
        case routeConfigurationChange = 8
    }

    /// Codes of thrown errors.
    public enum ErrorCode: Int, Sendable {
        /// The system forbids to interrupt others: `!int`.
        case cannotInterruptOthers = 560_557_684
        /// Sound is in use: `!act`.
        case isBusy = 560_030_580
        /// The session is not active: `inac`.
        case sessionNotActive = 1_768_841_571
        /// A parameter is wrong.
        case badParam = -50
        /// Nothing is wrong.
        case none = 0
        /// Nothing can be recorded: `!rec`.
        case cannotStartRecording = 561_145_187
        /// Nothing can be played: `!pla`.
        case cannotStartPlaying = 561_015_905
        /// The category does not allow it: `!cat`.
        case incompatibleCategory = 560_161_140
        /// Another app goes first: `!pri`.
        case insufficientPriority = 561_017_449
        /// The media services fail: `msrv`.
        case mediaServicesFailed = 1_836_282_486
        /// The hardware is not there: `!res`.
        case resourceNotAvailable = 561_145_203
        /// The session is of services that were reset: `!ses`.
        case expiredSession = 561_210_739
        /// The app lacks an entitlement: `ent?`.
        case missingEntitlement = 1_701_737_535
        /// Siri records: `siri`.
        case siriIsRecording = 1_936_290_409
        /// Anything else: `what`.
        case unspecified = 2_003_329_396

        /// The error as it is thrown.
        package var error: NSError { NSError(domain: NSOSStatusErrorDomain, code: rawValue) }
    }

    /// Consent of the user.
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked: `undt`.
        case undetermined = 1_970_168_948
        /// The user refused: `deny`.
        case denied = 1_684_369_017
        /// The user agreed: `grnt`.
        case granted = 1_735_552_628

        init(_ status: AVAuthorizationStatus) {
            switch status {
            case .authorized: self = .granted
            case .notDetermined: self = .undetermined
            case .denied, .restricted: self = .denied
            }
        }
    }

    /// Kind of a port.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Microphone of the phone.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// Microphone of a headset with a plug.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// Line in.
        public static let lineIn = Port(rawValue: "LineIn")
        /// Loudspeaker of the phone.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// Loudspeaker at the ear.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// Headphones with a plug.
        public static let headphones = Port(rawValue: "Headphones")
        /// Bluetooth device that plays music.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// Bluetooth device for calls.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// Bluetooth device of low energy.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// AirPlay device.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// USB device.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// HDMI device.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// Car.
        public static let carAudio = Port(rawValue: "CarAudio")
    }
}
