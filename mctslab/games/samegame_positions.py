"""Start positions of SameGame: the 20 standard ones, and boards given as text, as bytes or in a file.

The standard positions are 15 x 15 with 5 colours (test set of Schadd et al. 2008); 11 to 15 hold 45 blocks of each colour,
16 to 20 65 of one colour and 40 of each other. The digits are those of ``src/problems.txt`` of
https://github.com/bnegreve/nrpa, equal cell by cell to the sets of acatai/SameGame, fmarocchi92/SP-MCTS and
erik-adelbert/mcs.
"""
import os
import re
from pathlib import Path

from ..core import InputError, check_text_file
from ..core.spec import check_options

EMPTY = 255                             # an empty cell in a board's bytes
CELLS = {str(i): i for i in range(10)} | {".": EMPTY, "-": EMPTY}

# Five positions side by side, 1 to 5 in the first band; the first line is the top row.
BANDS = """
311410404411023 330102123231110 424310332243142 422413324042342 344323213412332
332044131200404 413403322402400 303403332443133 202121012113042 202031031121434
023430300344111 232203104402404 204401222340440 023200410430032 131031323400141
234023024443023 034422133130334 043002421203242 223110010114300 021022241044332
121312012103401 002121343212314 020201132112340 420422030022142 231304023014423
044303422202340 124200011100244 101043334222341 143323044002230 313323010434014
243423111341031 103332104241430 234342242434401 211410104410413 444223000101213
100403121041331 443302334303004 423220124330021 330213114023333 213440410401213
133204313041003 333143330420320 344304341002143 233131041012304 343120133014200
033423002123401 241111400304043 401310230202301 321134024242020 230124330112233
041201343341404 330141211034210 420002210231131 030140004210240 441033442242030
223104012413301 223320433404331 031133212004241 201423142010342 310432023143122
330232143130213 013212110241403 214440334200200 042034431134214 223024130321342
103214444042134 414021313140103 104401324042001 424043022414341 243130320432234
101011221001432 132322422430311 222233043340412 432221123312032 042223201140133

242042231013420 340312013124113 313144220402231 134021430012311 013343432440321
233231330141001 314300130204444 112331022202411 003032301403332 401100012030021
043031333102421 043211022134023 441242141233214 241201210031022 124302023431223
301012300211144 240133322220220 102234132213432 021211000330113 343013323110342
011120213420310 040021014333102 311001203243431 142313304231044 200320233301111
111411001141121 104124422000344 113042130124403 211411404420040 242214321401441
330113200001201 421312013422132 011101233101003 344300204124033 000223432303434
030340112142102 111030313311230 232311124021233 140400334402244 120412240242403
122223413142411 124314111023033 013043114013030 010423300204341 343311044210013
220330223322103 041340414042301 133030003413000 311424002031243 122243202101013
240040434434144 043424131304300 442131011313243 004241200030333 234210123240243
212311221031440 311104203044244 030231113312322 001012203432434 132430441141240
232211401440433 404314132301011 322030310033242 110204331143241 302214341221131
113031434104114 334244203430103 012202441343114 012234031400311 202104140323024
044422431132441 023442410004240 443043334134431 030010111312000 031101414111042

412023414414313 122423424122334 401433141241002 224024001403433 012134321212234
131340342332341 311411111211410 014030024223324 043103201221440 400130420444211
132234234034123 141442140340233 021033300443114 212332123304210 300121130032400
132402001213442 331203332401230 442102433224240 443324101440421 421441400320220
402201100102324 434130443404002 300442213432420 330122313013233 334212413404230
220341043442334 203124440023003 041444441234233 120340422213331 044122144233441
440203411442011 040342110333221 012002213420041 400111143321320 311322032344320
310411132413202 020314001203412 433200101432311 414410020322023 241320244414400
020011204110224 322211143202422 342202333001213 233143010440021 142120330133243
310434311003234 433030040022331 132122411123131 012243114424424 223211001131243
441240420323400 423412313044402 002121141102120 241103330440020 210220322141140
243013131010014 013123243312401 412103103404332 321304423021131 013210400330304
121200301102312 413310320140202 430034333311321 043312022123001 121343113004314
320130243444030 402410042004430 011301104040204 434211304141420 033311400424103
233022430212320 111342321201410 221442203430243 213201401404043 303214033122042

201443142040401 022241204023022 022443333043023 441411240330120 301330010024001
330211142434210 444222123230021 414441314103021 411431122302403 122322040232221
414412111231033 320123243104202 041303133240432 323401402441230 310000441313204
442330203214414 212002234322213 123342102333234 043402404441434 010203432302034
141333102222230 020320212223302 041411230213102 401420124301443 232203300303411
042303101131321 310430110300234 313413314332440 314221212242122 033204124124410
202411213111222 034134311331213 024410032323332 242040343023330 324041432114002
133311003302111 423110334411443 014331213231202 343400011412133 141304032320001
000441324100330 304111331411442 020231341102141 444124240141443 000142104443104
432313334312211 213022424211220 034002324330003 042240313241444 333103120243411
111120214131112 013244000422422 240220310232323 002140243400430 111302230434411
012104023100010 301241033104022 431143113130413 421022422233100 020020013023024
011433440010124 421422220210430 421133030403430 413343132113142 433240004310412
322114021010444 043202324211134 124424341430002 114043320243140 223204200414401
401122434124434 424402013424231 433233001123342 331414040430440 341440000102100
"""


def _standard_positions():
    """Number of a position -> its board."""
    bands = [[line.split() for line in band.splitlines()] for band in BANDS.strip().split("\n\n")]
    return {1 + 5 * i + j: bytes(map(int, "".join(line[j] for line in band)))
            for i, band in enumerate(bands) for j in range(5)}


POSITIONS = _standard_positions()


def expand_board(name, options, defaults, limits):
    """The options, with `position` or `board` turned into the fields they stand for.

    Parameters
    ----------
    name : str
        The game's, for messages.
    options : dict
        As given. A board is its bytes, its rows from the top joined by ``/``, or the path of a text file with a row a line;
        a digit is a colour, ``.`` or ``-`` an empty cell. A file may have blank lines, and comments after ``#``.
    defaults, limits : dict
        The game's fields and their limits.

    Returns
    -------
    dict

    Raises
    ------
    InputError
        If the board is none or does not fit the other options.
    """
    given = {key: options[key] for key in ("rows", "cols", "colours", "position") if key in options}
    size, board = check_options(name, given, defaults, limits), options.get("board")
    if size["position"]:
        for key in ("rows", "cols", "colours"):
            if size[key] != defaults[key]:
                raise InputError(f"{key} is {size[key]}; the standard positions of {name} have {key}={defaults[key]}")
        if board not in (None, POSITIONS[size["position"]]):
            raise InputError(f"{name} has position={size['position']} and a board; it takes one of them")
        return options | {"board": POSITIONS[size["position"]]}
    if board is None:
        return options
    lines = _bytes_lines(board, size["cols"]) if isinstance(board, bytes) else _lines(name, board)
    found = _check_lines(lines, limits)
    for key in ("rows", "cols", "colours"):
        known = key in given or (isinstance(board, bytes) and key != "colours")
        if known and (size[key] < found[key] or (size[key] > found[key] and key != "colours")):
            raise InputError(f"{key} is {size[key]}, but the board of {name} has {found[key]}")
    return options | found


def board_text(board, cols):
    """The rows of a board's bytes, joined by ``/``."""
    return "/".join(line for _, line in _bytes_lines(board, cols))


def _bytes_lines(board, cols):
    signs = {value: sign for sign, value in reversed(CELLS.items())}
    text = "".join(signs.get(value, "?") for value in board)
    return [(f"board row {1 + i // cols}", text[i:i + cols]) for i in range(0, len(text), cols)]


def _lines(name, board):
    """(where it stands, text) of each row of a board given as text or as a file."""
    if isinstance(board, str) and re.fullmatch("[0-9./-]+", board):
        return [(f"board row {i}", line) for i, line in enumerate(board.split("/"), 1)]
    if not isinstance(board, (str, os.PathLike)):
        raise InputError(f"option board of {name} is {board!r}; it must be a file or rows joined by / (one row: in quotes)")
    check_text_file(board)
    try:
        text = Path(board).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"board {str(board)!r}: {error.strerror}; allowed: a file, or rows of digits joined by /") from None
    lines = [(f"{board} line {i}", line.partition("#")[0].strip()) for i, line in enumerate(text.splitlines(), 1)]
    return [(where, line) for where, line in lines if line]


def _check_lines(lines, limits):
    """The fields that a board's rows stand for."""
    cols, above = len(lines[0][1]) if lines else 0, ""
    for where, line in lines:
        if len(line) != cols:
            raise InputError(f"{where} has {len(line)} cells; the rows above have {cols}")
        for x, sign in enumerate(line):
            if sign not in CELLS:
                raise InputError(f"{where} has {sign!r}; allowed: a digit for a colour, . or - for an empty cell")
            if CELLS[sign] == EMPTY and above and CELLS[above[x]] != EMPTY:
                raise InputError(f"{where} is empty in column {x + 1} below a block; blocks stand on the ground")
        above = line
    board = bytes(CELLS[sign] for _, line in lines for sign in line)
    for x in range(1, cols):
        if CELLS[above[x]] != EMPTY and CELLS[above[x - 1]] == EMPTY:
            raise InputError(f"the board has an empty column {x} left of a block; such columns close up")
    found = {"rows": len(lines), "cols": cols, "colours": 1 + max((cell for cell in board if cell != EMPTY), default=-1)}
    for key, value in found.items():
        low, high = limits[key]
        if not low <= value <= high:
            raise InputError(f"the board has {value} {key}; it must have from {low} to {high}")
    return found | {"board": board}
