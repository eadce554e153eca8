"""The pages: set-up, the table, the games kept, the rules, a game's record."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import msgspec
import segno
from flask import (
    Blueprint,
    Response,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from companion.core.catalog import game_named, pack_named, packs
from companion.core.game import Setup
from companion.dashboard.access.callers import device_name
from companion.dashboard.access.pages import join_link
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.dashboard.playing.lesson_page import taught_games
from companion.dashboard.setting_up import filled_in, form_for, fresh
from companion.dashboard.watched.simulated_page import SimulatedPage
from companion.foundation.errors import BadInput, BadSetup, NoSuchGame
from companion.foundation.messages import N_
from companion.foundation.notices import Notice
from companion.foundation.resources import package_folder
from companion.ledger import records
from companion.ledger.events import Opened, Source
from companion.ledger.journal import Kept
from companion.people.roster import Roster
from companion.views import PublicView, explain, speech_for, view_of
from companion.views.kept import KeptView, kept_view
from companion.views.rulebook import house_rules, rule_chapters
from companion.views.speech import Speech

GAMES_A_PAGE = 20  # each is replayed to say its points


class Pages:
    def __init__(
        self, parts: Parts, fragments: Fragments, simulated: SimulatedPage, roster: Roster
    ) -> None:
        self._parts = parts
        self._fragments = fragments
        self._simulated = simulated
        self._roster = roster

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("pages", __name__)
        for path, view, method in (
            ("/", self.home, "GET"),
            ("/table", self.table, "GET"),
            ("/view.json", self.view, "GET"),
            ("/new", self.new, "GET"),
            ("/games", self.open_game, "POST"),
            ("/again", self.again, "POST"),
            ("/games", self.games, "GET"),
            ("/games/<int:number>/resume", self.asking, "GET"),
            ("/games/<int:number>/resume", self.resume, "POST"),
            ("/games/<int:number>/record", self.record, "GET"),
            ("/rules/<game>", self.rules, "GET"),
            ("/join.svg", self.join, "GET"),
            ("/game/<game>/<path:name>", self.game_file, "GET"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    @property
    def _language(self) -> str:
        return reader_language(self._parts.language)

    @property
    def _last_setup(self) -> Setup | None:
        session = self._parts.referee.moment.session
        return None if session is None else session.setup

    def home(self) -> AnyResponse | str:
        moment, access = self._parts.referee.moment, self._parts.access
        if self._parts.installed and not access.asked:
            return redirect(url_for("setup_you.show"))
        if moment.session is None and not moment.trouble and self._parts.simulated is None:
            return redirect(url_for("pages.new"))
        table = self._fragments.table(moment, self._language)
        return render_template(
            "table.html",
            table=table,
            watched=self._parts.table is not None,
            simulated=self._parts.simulated is not None,
            game=None if moment.session is None else moment.session.setup.game,
        )

    def game_file(self, game: str, name: str) -> Response:
        """A style sheet, script or picture that a game brings along."""
        folder = package_folder(pack_named(game).package, "static")
        if folder is None:
            raise NoSuchGame(
                "brings-no-files-along", N_("%(game)s brings no files along"), game=game
            )
        return send_from_directory(folder, name)

    def table(self) -> str:
        """The live part alone, for pages that cannot follow the stream."""
        return self._fragments.table(self._parts.referee.moment, self._language)

    def view(self) -> Response:
        found = view_of(self._parts.referee.moment, self._language)
        told = msgspec.to_builtins(found)
        if told is not None:  # programs know this key by its first name
            told["notion"] = told.pop("opinion")
        return Response(msgspec.json.encode(told), mimetype="application/json")

    def new(self) -> str:
        if self._parts.simulated is not None:
            return self._simulated.form()
        last = self._last_setup
        game = request.args.get("game") or (last.game if last is not None else next(iter(packs())))
        edition = request.args.get("edition", "")
        return self._form(fresh(game_named(game).NAME, last, self._language, edition))

    def _form(self, setup: Setup, *problems: str) -> str:
        return render_template(
            "new.html",
            form=form_for(setup, self._language, self._roster),
            running=self._running(None),
            problems=problems,
            sheets=self._parts.sheets,
            lesson=setup.game in taught_games(),
            choosable=self._parts.camera_choice is not None,
            watched=self._parts.table is not None,
        )

    def open_game(self) -> AnyResponse | str | tuple[str, int]:
        self._bots_alone()
        setup = filled_in(request.form)
        try:
            game_named(setup.game).start(setup)
            if (running := self._running(None)) is not None:
                return self._ask(running, gettext("Start the new game"))
            self._open(setup)
        except BadSetup as bad:
            speech = speech_for(setup, self._language)
            return self._form(setup, *(explain(speech, each) for each in bad.problems)), 400
        return redirect(url_for("pages.home"), 303)

    def _running(self, instead: int | None) -> PublicView | None:
        """The game that another would take the place of, unless people have said they mean it."""
        moment = self._parts.referee.moment
        session = moment.session
        if session is None or session.over or session.number == instead or session.latest is None:
            return None
        return None if request.form.get("sure") == "yes" else view_of(moment, self._language)

    def _ask(self, running: PublicView, words: str) -> str:
        fields = [each for each in request.form.items(multi=True) if each[0] != "sure"]
        return render_template(
            "asking.html", running=running, words=words, action=request.path, fields=fields
        )

    def asking(self, number: int) -> str | AnyResponse:
        """Somebody follows a link to go on with an old game: nothing happens by a link alone."""
        running = self._running(number)
        opened = self._parts.journal.events(number)[0]
        if running is None:
            fact = opened.fact
            names = fact.setup.names if isinstance(fact, Opened) else ()
            game = fact.setup.game if isinstance(fact, Opened) else ""
            return render_template("go_on.html", number=number, names=names, game=game)
        return self._ask(running, gettext("Go on with the older game"))

    def _open(self, setup: Setup) -> None:
        printed = self._printed(setup.game)
        self._parts.referee.open(setup, Source.PAGE, printed, device_name())

    def _printed(self, game: str) -> tuple[str, ...]:
        """What the owner's sheet says; a damaged one is told, and the game begins without it."""
        sheet = self._parts.sheets.get(game)
        try:
            lines = () if sheet is None else sheet.lines
        except BadInput as damaged:
            self._parts.notices.put("sheet", Notice("sheet-broken", (("why", damaged.message),)))
            return ()
        self._parts.notices.put("sheet", None)
        return lines

    def _bots_alone(self) -> None:
        """People's games and the bots' must never be mixed up."""
        if self._parts.simulated is not None:
            raise BadInput(
                "at-simulated-table-only",
                N_("At the simulated table only its bots play: leave it for your own game."),
            )

    def again(self) -> AnyResponse | str:
        """The next game with the same people and the same rules."""
        self._bots_alone()
        session = self._parts.referee.moment.session
        if (running := self._running(None)) is not None:
            return self._ask(running, gettext("Start the new game"))
        if session is not None:
            self._open(session.setup)
        return redirect(url_for("pages.home"), 303)

    def games(self) -> str:
        skip = max(request.args.get("skip", 0, int), 0)
        journal, session = self._parts.journal, self._parts.referee.moment.session
        return render_template(
            "games.html",
            games=[self._kept(each) for each in journal.games(GAMES_A_PAGE, skip)],
            kinds=tuple(packs()),
            on_table=None if session is None else session.number,
            newer=max(skip - GAMES_A_PAGE, 0) if skip else None,
            simulated=self._parts.simulated is not None,
            older=skip + GAMES_A_PAGE if journal.count_games() > skip + GAMES_A_PAGE else None,
        )

    def _kept(self, kept: Kept) -> KeptView:
        """With people as they are called now."""
        view = kept_view(self._parts.journal, kept, self._language)
        names = self._roster.shown(view.names, kept.number, gettext("somebody"))
        called = dict(zip(view.names, names, strict=True))
        winners = tuple(called[name] for name in view.winners)
        return replace(view, names=names, winners=winners)

    def resume(self, number: int) -> AnyResponse | str:
        self._bots_alone()
        if (running := self._running(number)) is not None:
            return self._ask(running, gettext("Go on with the older game"))
        self._parts.referee.resume(number)
        return redirect(url_for("pages.home"), 303)

    def record(self, number: int) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="game-{number}.txt"'}
        record = records.write(self._parts.journal.events(number))
        return Response(record, headers=headers, mimetype="text/plain")

    def rules(self, game: str) -> str:
        """Every rule, as the game on the table reads it, or as it is usually read."""
        setup = fresh(game_named(game).NAME, self._last_setup, self._language)
        speech = Speech(self._language, game)
        return render_template(
            "rules.html",
            game=game,
            games=tuple(packs()),
            chapters=rule_chapters(speech, setup),
            house=house_rules(speech, setup),
            lesson=game in taught_games(),
        )

    def join(self) -> Response:
        """The address this page was opened under, as a code for the next phone; an invitation, if
        who asks may give one."""
        picture = BytesIO()
        segno.make(join_link(self._parts.access), micro=False).save(
            picture, kind="svg", scale=6, border=2
        )
        headers = {"Cache-Control": "no-store"}
        return Response(picture.getvalue(), headers=headers, mimetype="image/svg+xml")
