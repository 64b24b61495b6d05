/** What two texts have in common at their ends, and what differs between. */
interface TextDiff {
  start: string
  old: string
  new: string
  end: string
}

/** Words around a change that are shown. */
const CONTEXT = 60

/** Where two texts differ, in whole words; long common parts are cut. */
export function textDiff(before: string, after: string): TextDiff {
  const [left, right] = [wordsOf(before), wordsOf(after)]
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start++
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++
  return {
    start: cutStart(left.slice(0, start).join('')),
    old: left.slice(start, left.length - end).join(''),
    new: right.slice(start, right.length - end).join(''),
    end: cutEnd(end === 0 ? '' : left.slice(-end).join('')),
  }
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+|[.,;:!?](?=\s|$))/)
}

function cutStart(text: string): string {
  return text.length > CONTEXT ? `…${text.slice(-CONTEXT)}` : text
}

function cutEnd(text: string): string {
  return text.length > CONTEXT ? `${text.slice(0, CONTEXT)}…` : text
}
