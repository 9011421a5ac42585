// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PictureInPictureTests {
    private let id = Fixture.call

    private func call(
        _ state: Call.State = .active, video: Bool = true, remote: Bool = false, local: LocalVideo = .off
    ) -> Call {
        var details = Fixture.details
        details.video = video
        var call = Call(id: id, direction: .incoming, details: details, state: state, createdAt: Fixture.start)
        call.remoteVideo = remote
        call.localVideo = local
        return call
    }

    private func run(
        _ picture: inout PictureInPicture, _ event: PictureInPicture.Event, at now: Instant = Fixture.start
    )
        -> [PictureInPicture.Effect]
    {
        picture.handle(event, at: now)
    }

    private func picture(_ call: Call, isAutomatic: Bool = true) -> PictureInPicture {
        var picture = PictureInPicture(isAutomatic: isAutomatic)
        _ = run(&picture, .callChanged(call))
        return picture
    }

    @Test("R117: leaving the app shows the picture, where it is automatic") func automatic() {
        var automatic = picture(call(remote: true))
        #expect(run(&automatic, .background(true)) == [.start(id, .remote)])
        #expect(run(&automatic, .background(false)) == [])
        #expect(run(&automatic, .startAsked) == [])
        #expect(run(&automatic, .stopped) == [.stop])
        #expect(run(&automatic, .stopped) == [])
        var manual = picture(call(), isAutomatic: false)
        #expect(run(&manual, .background(true)) == [])
        #expect(run(&manual, .startAsked) == [.start(id, .branded)])
    }

    @Test("R117: only a live, answered video call has a picture") func onlyAnsweredVideo() {
        let calls = [
            call(.incoming), call(.outgoing), call(.ended(.remoteEnded)), call(.active, video: false),
        ]
        for call in calls {
            var picture = picture(call)
            #expect(run(&picture, .startAsked) == [])
            #expect(picture.state == .unavailable)
        }
        for call in [call(.connecting), call(.held), call(video: false, remote: true), call(video: false, local: .on)] {
            #expect(picture(call).state == .available(id))
        }
    }

    @Test("R117: the other side's picture, else the own, else the app's") func content() {
        var picture = picture(call(remote: true, local: .on))
        #expect(run(&picture, .startAsked) == [.start(id, .remote)])
        #expect(run(&picture, .callChanged(call(local: .on))) == [.show(.local)])
        #expect(run(&picture, .callChanged(call(local: .blocked))) == [.show(.branded)])
        #expect(run(&picture, .callChanged(call(local: .off))) == [])
        #expect(run(&picture, .callChanged(call(.held, remote: true))) == [.show(.remote)])
    }

    @Test("R117: the end of the call clears the picture, wherever it is") func cleared() {
        let end = PictureInPicture.Event.callChanged(call(.ended(.remoteEnded)))
        var available = picture(call())
        #expect(run(&available, end) == [])
        #expect(available.state == .unavailable)
        var shown = picture(call())
        _ = run(&shown, .startAsked)
        #expect(run(&shown, end) == [.stop])
        #expect(shown.state == .unavailable)
        var restoring = picture(call())
        _ = run(&restoring, .startAsked)
        _ = run(&restoring, .restoreAsked)
        #expect(run(&restoring, .callChanged(call())) == [])
        #expect(run(&restoring, end) == [.restored(false)])
        #expect(restoring.deadline == nil)
    }

    @Test("R117: a restore waits two seconds for the app's view, and no longer") func restore() {
        var picture = picture(call())
        #expect(run(&picture, .restoreAsked) == [.restored(false)])
        _ = run(&picture, .startAsked)
        #expect(run(&picture, .restoreAsked) == [])
        #expect(run(&picture, .restoreAsked) == [])
        #expect(run(&picture, .startAsked) == [])
        #expect(run(&picture, .stopped) == [])
        #expect(picture.deadline == Fixture.at(2000))
        #expect(run(&picture, .tick, at: Fixture.at(1999)) == [])
        #expect(run(&picture, .viewReady, at: Fixture.at(1999)) == [.restored(true)])
        #expect(run(&picture, .viewReady) == [])
        _ = run(&picture, .startAsked)
        _ = run(&picture, .restoreAsked)
        #expect(run(&picture, .tick, at: Fixture.at(2000)) == [.restored(false)])
        #expect(picture.state == .available(id))
    }

    @Test("R117: another call changes nothing") func otherCall() {
        var other = call(.ended(.failed))
        other.id = Fixture.other
        var picture = picture(call())
        for event in [PictureInPicture.Event.startAsked, .restoreAsked, .viewReady] {
            let before = picture
            #expect(run(&picture, .callChanged(other)) == [])
            #expect(picture == before)
            _ = run(&picture, event)
        }
    }
}
