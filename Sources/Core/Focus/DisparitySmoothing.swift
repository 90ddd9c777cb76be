/// Smoothing of a track's measured disparities by the filter that runs while recording.
package enum DisparitySmoothing {
    /// Filtered disparities of measurements at increasing times (s), as many of them; NaN counts as not measured.
    package static func smoothed(_ measurements: [(time: Double, disparity: Double)], _ tuning: FocusTuning = FocusTuning()) -> [Double] {
        var tracker = DisparityTracker()
        return measurements.indices.map { index in
            let elapsed = index == 0 ? 0 : measurements[index].time - measurements[index - 1].time
            tracker.step(measurements[index].disparity, elapsed: elapsed, tuning)
            return tracker.position
        }
    }
}
