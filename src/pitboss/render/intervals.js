// What blocks of games tell, with intervals: the same numbers as stats/intervals.py, so that a page and the command line agree.

const Z = 1.959963984540054; // the normal distribution's quantile for 95 %

/** Student's quantile for 95 %, two-sided. */
export function quantile(freedom) {
  if (freedom === 1) return Math.tan(Math.PI * 0.475);
  if (freedom === 2) return 2 * 0.475 * Math.sqrt(2 / (4 * 0.975 * 0.025));
  const n = freedom, z = Z;
  return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2)
    + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3)
    + (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * n ** 4);
}

/** The mean of n numbers from 0 to 1, from their sum and their sum of squares, with Wilson's interval. */
export function shareOf(total, squares, n) {
  const m = total / n;
  if (n < 2) return { mean: m, low: null, high: null };
  const variance = Math.max(0, squares - n * m * m) / (n - 1) / n;
  const t = quantile(n - 1);
  const narrow = t * t * (variance > 0 && m > 0 && m < 1 ? variance / (m * (1 - m)) : 1 / n);
  const centre = (m + narrow / 2) / (1 + narrow);
  const half = Math.sqrt(Math.max(0, narrow * m * (1 - m) + narrow ** 2 / 4)) / (1 + narrow);
  return { mean: m, low: Math.min(m, Math.max(0, centre - half)), high: Math.max(m, Math.min(1, centre + half)) };
}

/** The mean of n numbers from their sum and their sum of squares. */
export function meanOf(total, squares, n) {
  const m = total / n;
  if (n < 2) return { mean: m, low: null, high: null };
  const half = quantile(n - 1) * Math.sqrt(Math.max(0, squares - n * m * m) / (n - 1) / n);
  return { mean: m, low: m - half, high: m + half };
}

/** Sums over blocks, from rows[block][rotation][seat][column]: of each column of each bot, and of its squares by block. */
export function sumsOf(rows, { blocks, rotations, seats, width }) {
  const grid = () => Array.from({ length: seats }, () => new Array(width).fill(0));
  const columns = grid(), squares = grid();
  for (let block = 0; block < blocks; block += 1) {
    const here = grid();
    for (let rotation = 0; rotation < rotations; rotation += 1) {
      for (let bot = 0; bot < seats; bot += 1) {
        const at = ((block * rotations + rotation) * seats + ((bot + rotation) % seats)) * width;
        for (let column = 0; column < width; column += 1) here[bot][column] += rows[at + column];
      }
    }
    here.forEach((row, bot) => row.forEach((x, column) => {
      columns[bot][column] += x;
      squares[bot][column] += x * x;
    }));
  }
  return { blocks, rotations, columns, squares };
}

/** Sums of several chunks as one. */
export function added(all) {
  const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));
  return all.reduce((a, b) => ({ blocks: a.blocks + b.blocks, rotations: a.rotations, columns: plus(a.columns, b.columns), squares: plus(a.squares, b.squares) }));
}

const OUTRIGHT = 0, SHARE = 2; // columns that every game has

/** A bot's share of wins. */
export const winShare = ({ columns, squares, rotations, blocks }, bot) => shareOf(columns[bot][SHARE] / rotations, squares[bot][SHARE] / rotations ** 2, blocks);

/** Games that a bot won outright. */
export const winsOf = ({ columns }, bot) => columns[bot][OUTRIGHT];

/** The mean of a figure that the game declares. */
export function figureOf({ columns, squares, rotations, blocks }, bot, { place, per }) {
  if (per < 0) return meanOf(columns[bot][place] / rotations, squares[bot][place] / rotations ** 2, blocks);
  return { mean: columns[bot][per] ? columns[bot][place] / columns[bot][per] : 0, low: null, high: null };
}
