/// Monitor of low light with two thresholds and a hold, so that the status never flickers.
///
///     enough ──< enter──▶ darkening ──hold──▶ dark
///        ▲                                      │
///        └──hold── brightening ◀──> leave───────┘
public struct LightMonitor: Sendable {
    private enum State {
        case enough
        case darkening(since: Int64)
        case dark
        case brightening(since: Int64)
    }

    private let tuning: FocusTuning
    private var state = State.enough

    /// Creates a monitor in the state *enough*.
    public init(tuning: FocusTuning = FocusTuning()) { self.tuning = tuning }

    /// Whether the scene status is not enough light.
    public var isNotEnough: Bool {
        switch state {
        case .enough, .darkening: false
        case .dark, .brightening: true
        }
    }

    /// Updates the status at `time` (ns) and returns whether light is not enough; an unknown `illuminance` (lux) changes nothing.
    public mutating func step(at time: Int64, illuminance: Double?) -> Bool {
        guard let illuminance, !illuminance.isNaN else { return isNotEnough }
        let (isDark, isBright) = (illuminance < tuning.lowLightEnter, illuminance > tuning.lowLightLeave)
        switch state {
        case .enough: if isDark { state = .darkening(since: time) }
        case .darkening: if !isDark { state = .enough }
        case .dark: if isBright { state = .brightening(since: time) }
        case .brightening: if !isBright { state = .dark }
        }
        if case .darkening(let since) = state, time - since >= tuning.lowLightEnterHold { state = .dark }
        if case .brightening(let since) = state, time - since >= tuning.lowLightLeaveHold { state = .enough }
        return isNotEnough
    }
}
