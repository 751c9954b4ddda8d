-- Positions for wrk, another with each request: of tic-tac-toe, and of platforms and the
-- block game on 5x5. `wrk .. -- /play/` asks for pages, `-- /api/v1/solve/` for JSON.

local path = "/play/"
local next_path

-- A board with this many cells of the one glyph, at random among the free ones.
local function put(cells, glyph, count)
  for _ = 1, count do
    local at
    repeat at = math.random(#cells) until cells[at] == "."
    cells[at] = glyph
  end
end

local function board(size)
  local cells = {}
  for at = 1, size * size do cells[at] = "." end
  return cells
end

local function text(cells, size)
  local rows = {}
  for row = 1, size do
    rows[row] = table.concat(cells, "", (row - 1) * size + 1, row * size)
  end
  return table.concat(rows, "/")
end

local games = {
  function()
    -- With more marks, both may have three in a row, which is no position.
    local cells, marks = board(3), math.random(0, 5)
    put(cells, "X", math.ceil(marks / 2))
    put(cells, "O", math.floor(marks / 2))
    return "tictactoe?at=" .. text(cells, 3)
  end,
  function()
    local cells = board(5)
    put(cells, "A", 1)
    put(cells, "B", 1)
    put(cells, "%23", math.random(0, 20))
    return "platforms?at=" .. text(cells, 5)
  end,
  function()
    local cells = board(5)
    put(cells, "%23", math.random(0, 25))
    return "blockgame?at=" .. text(cells, 5)
  end,
}

function init(args)
  path = args[1] or path
  math.randomseed(os.time() + tonumber(tostring({}):match("0x(%x+)"), 16) % 65536)
end

function request()
  return wrk.format("GET", path .. games[math.random(#games)]())
end
