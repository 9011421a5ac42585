// SPDX-License-Identifier: MIT

extension CallMachine {
    /// This side's picture, as the app sees it.
    var localVideo: LocalVideo {
        guard camera.wanted, hasMedia else { return .off }
        return camera.runs ? .on : .blocked
    }

    /// A call that was offered with video begins with the camera, where it may run; answered on the lock screen it
    /// begins with voice, and the user turns the camera on later (R76).
    mutating func beginVideo() -> [Effect] {
        guard policy.canShowVideo else { return [] }
        camera.wanted = details.video && surroundings.mayUseCamera == true && surroundings.allowCamera
        return turnCamera() + reportVideo()
    }

    /// Turns the camera the way it must be now; `anew` also when it runs already, as another one.
    mutating func turnCamera(anew: Bool = false) -> [Effect] {
        let runs = camera.wanted && hasMedia && surroundings.allowCamera && !isHoldGateClosed
        let changes = runs != camera.runs
        guard changes || anew && runs else { return [] }
        camera.runs = runs
        var effects: [Effect] = [.setCamera(id, runs ? camera.facing : nil)]
        if changes { effects.append(.send(id, .update(PeerUpdate(video: runs)))) }
        return effects + reportVideo()
    }

    mutating func wantCamera(_ wanted: Bool) -> [Effect] {
        guard hasMedia else { return [] }
        camera.wanted = wanted
        return turnCamera()
    }

    mutating func chooseCamera(_ facing: CameraFacing) -> [Effect] {
        guard facing != camera.facing else { return [] }
        camera.facing = facing
        return turnCamera(anew: true)
    }

    mutating func showRemoteVideo(_ shows: Bool) -> [Effect] {
        if hasMedia { remoteVideo = shows }
        return []
    }

    /// Takes what the phone is like around the app: camera and microphone follow.
    mutating func settle(in surroundings: Surroundings) -> [Effect] {
        self.surroundings = surroundings
        return turnMuteGate() + turnCamera()
    }

    // MARK: - What CallKit shows

    mutating func rename(_ name: String) -> [Effect] {
        guard !hasEnded, name != details.displayName else { return [] }
        details.displayName = name
        owesUpdate = standing == .telling
        return standing == .told ? [.reportUpdated(id, shown)] : []
    }

    /// CallKit has the call now: it hears the name that was given meanwhile.
    mutating func payUpdate() -> [Effect] {
        guard owesUpdate else { return [] }
        owesUpdate = false
        return [.reportUpdated(id, shown)]
    }

    /// CallKit's video flag follows the camera (R116).
    private mutating func reportVideo() -> [Effect] {
        guard standing == .told, shown.video != camera.runs else { return [] }
        camera.reported = camera.runs
        return [.reportUpdated(id, shown)]
    }

    private var shown: CallDetails {
        var shown = details
        shown.video = camera.reported ?? details.video
        return shown
    }
}

extension Surroundings {
    /// Whether the phone lets a camera run now.
    var allowCamera: Bool { isForeground && isUnlocked && mayUseCamera != false }
}
