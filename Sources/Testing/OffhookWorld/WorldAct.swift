// SPDX-License-Identifier: MIT

/// Something that happens to a world: what a person does, or what goes wrong.
///
/// Phones are named by their index. `line` picks one of the calls on the screen, from the oldest on; an act that finds
/// nothing to act on comes to nothing, so that any list of acts is a valid plan.
public enum WorldAct: Hashable, Sendable, Codable {
    // People
    /// The app calls a user.
    case call(Int, user: Int)
    /// The app calls again under the identity of its last call.
    case callAgain(Int)
    /// The user answers what rings; with another call there, ends or holds that one first.
    case answer(Int, holding: Bool = true)
    /// The user declines, cancels or hangs up.
    case end(Int, line: Int = 0)
    /// The user mutes or unmutes.
    case mute(Int, Bool, line: Int = 0)
    /// The user holds or resumes.
    case hold(Int, Bool, line: Int = 0)
    /// The user swaps the held call and the other one.
    case swap(Int)
    /// The user merges two calls (true), or takes one out.
    case group(Int, Bool)
    /// The user types a digit.
    case tone(Int, line: Int = 0)
    /// The app wants something.
    case ask(Int, Wish, line: Int = 0)
    /// The app repeats its last operation, with the same id.
    case askAgain(Int)
    /// The app uses the id of its last operation for another command.
    case askConflicting(Int)

    // The process
    /// The app dies.
    case kill(Int)
    /// The app dies after so many effects more, in the middle of a callback.
    case killAfter(Int, effects: Int)
    /// The user opens the app.
    case open(Int)

    // The network
    /// The connection is cut and stays away for so long.
    case cut(Int, milliseconds: Int)
    /// From now on a message needs so long, in each direction.
    case delay(Int, milliseconds: Int)
    /// The next message of the phone arrives a second time after so long, whatever became of the connection.
    case repeatUp(Int, milliseconds: Int)
    /// The next message for the phone comes so much later; those after it overtake it.
    case lateDown(Int, milliseconds: Int)
    /// The next message for the phone arrives twice.
    case repeatDown(Int)
    /// The server's memory of the phone's session is gone: a snapshot stands in for it.
    case loseSession(Int)
    /// The fate of the next push for the phone.
    case push(Int, PushFate)
    /// A push that cannot be read.
    case junkPush(Int)
    /// The server stops and comes back after so long, with what it had stored.
    case restartServer(milliseconds: Int)
    /// The server dies after so many effects more, and comes back after a second.
    case restartServerAfter(effects: Int)
    /// The device is signed out at the server (race 29).
    case signOut(Int)

    // The phone
    /// The n-th next one of a kind fails, from 1.
    case fail(Int, Fault, nth: Int = 1)
    /// From now on CallKit needs so long for each step.
    case slowPhone(Int, milliseconds: Int)
    /// The next activation of the audio session does not come (S3).
    case loseActivation(Int)
    /// CallKit drops everything (P2).
    case reset(Int)
    /// Something changes around the app.
    case surroundings(Int, Change)
    /// The media of a call stops (true) or comes back.
    case interruptMedia(Int, Bool)
    /// The media of a call breaks for good.
    case breakMedia(Int)
}

/// What an app may want of a call.
public enum Wish: String, Hashable, Sendable, Codable, CaseIterable {
    /// To answer it.
    case answer
    /// To end it.
    case end
    /// To hold it.
    case hold
    /// To resume it.
    case resume
    /// To mute it.
    case mute
    /// To unmute it.
    case unmute
    /// To send tones with a pause.
    case tones
    /// To merge it with another one.
    case merge
    /// To take it out of its group.
    case split
    /// To send the sound another way.
    case route
    /// To change the name shown.
    case rename
    /// To turn the camera on.
    case camera
    /// To choose the other camera.
    case switchCamera
    /// To have the speech translated.
    case translate
}

/// What becomes of a push.
public enum PushFate: Hashable, Sendable, Codable {
    /// APNs takes it, and it never arrives.
    case lost
    /// APNs refuses it.
    case refused
    /// It arrives after so long.
    case late(milliseconds: Int)
    /// It arrives, and once more after so long.
    case twice(milliseconds: Int)
}

/// What can fail on a phone.
public enum Fault: String, Hashable, Sendable, Codable, CaseIterable {
    /// Writing the checkpoint.
    case save
    /// Sending: the connection is cut with the message on it.
    case send
    /// Reporting an incoming call: CallKit refuses it.
    case report
    /// A transaction: CallKit refuses it.
    case request
    /// Starting a media session.
    case mediaStart
}

/// What can change around an app.
public enum Change: String, Hashable, Sendable, Codable, CaseIterable {
    /// The ways for the sound.
    case routes
    /// The audio session is interrupted.
    case interruption
    /// The interruption is over.
    case interruptionEnd
    /// The media services start anew.
    case mediaServices
    /// The app comes to the foreground, unlocked.
    case foreground
    /// The app goes to the background, locked.
    case background
    /// A call of another app begins.
    case otherCall
    /// No other app has a call any more.
    case noOtherCall
}
