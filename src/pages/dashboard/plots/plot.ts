import { html } from 'hono/html'
import { type Column, type Page, plainTable } from '../../parts/markup.ts'
import { axesOf, ROOMS } from './axes.ts'
import type { Point, Unit } from './series.ts'
import { bars, course, hints } from './shapes.ts'

export interface PlotOptions {
  /** Unique on its page. */
  id: string
  /** What the values are: `Revenue in USD`. */
  title: string
  /** bars: what happened in each time; course: how much there was at its end. */
  shape: 'bars' | 'course'
  points: Point[]
  unit: Unit
  /** What the labels of the points are: `Day`. */
  of: string
}

/**
 * Values over time as a drawing, with all of them in a table. It is SVG from the server, styled by classes: it needs no script,
 * and follows the colours of the page.
 */
export function plot({ id, title, shape, points, unit, of }: PlotOptions): Page {
  const description = describe(points, unit)
  const leads = points.some(({ address }) => address !== undefined)
  const drawings = ROOMS.map((room) => {
    const axes = axesOf(points, unit, room)
    const own = `${id}-${room.name}`
    return html`<svg class="plot plot-${room.name}" viewBox="0 0 ${room.width} ${room.height}" role="${leads ? 'group' : 'img'}" aria-labelledby="${own}-title ${own}-text">
<title id="${own}-title">${title}</title><desc id="${own}-text">${description}</desc>
${axes.drawing}${shape === 'bars' ? bars(axes, points) : course(axes, points)}${hints(axes, points, unit)}</svg>`
  })
  const columns: Column<Point>[] = [
    { words: of, cell: ({ label }) => label },
    { words: title, cell: ({ value }) => unit.text(value), end: true },
  ]
  // Scripts say here what the pointer or the focus is at; the table says all of it to everybody.
  return html`<div data-controller="plot">${drawings}<p class="plot-value" data-plot-target="value" aria-hidden="true"></p></div>
<details class="plot-table"><summary>As a table<span class="unseen">: ${title}</span></summary>
${plainTable({ caption: title, columns, rows: points })}</details>`
}

/** The drawing in a sentence. */
function describe(points: Point[], unit: Unit): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return 'No data yet.'
  const most = points.reduce((one, other) => (other.value > one.value ? other : one))
  if (points.every(({ value }) => value === 0)) return `No data from ${first.label} to ${last.label}.`
  return `From ${first.label} to ${last.label}. Highest: ${unit.text(most.value)}, ${most.label}. Latest: ${unit.text(last.value)}.`
}
