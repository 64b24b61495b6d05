import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import { type Column, type Page, plainTable } from '../../parts/markup.ts'
import { type Axes, at, axesOf, ROOMS } from './axes.ts'
import type { Point, Unit } from './series.ts'

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

/** A bar for each point: what happened in that time. */
function bars({ x, y }: Axes, points: Point[]): Page {
  const drawn = points.map(({ value }, place) => {
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))]
    if (value === 0) return ''
    return html`<rect class="plot-bar" x="${at(x(place)!)}" y="${at(top)}" width="${at(x.bandwidth())}" height="${at(Math.max(1, bottom - top))}" rx="2"/>`
  })
  return html`${drawn}`
}

/** A line through the points: how much there was at the end of each time. */
function course({ x, y }: Axes, points: Point[]): Page {
  const middle = (place: number) => x(place)! + x.bandwidth() / 2
  const across = (_: Point, place: number) => middle(place)
  const path = line<Point>(across, ({ value }) => y(value)).digits(1)(points)
  const below = area<Point>(across, y(0), ({ value }) => y(value)).digits(1)(points)
  const last = points.length - 1
  return html`<path class="plot-area" d="${below}"/><path class="plot-course" d="${path}"/>
<circle class="plot-end" cx="${at(middle(last))}" cy="${at(y(points[last]!.value))}" r="3"/>`
}

/** Says the value of each point where the pointer rests, and leads to what happened in it, where it does. */
function hints({ x, room }: Axes, points: Point[], unit: Unit): Page {
  const step = x.step()
  return html`${points.map(({ label, value, address }, place) => {
    const words = `${label}: ${unit.text(value)}`
    const left = at(x(place)! - (step - x.bandwidth()) / 2)
    const hint = html`<rect class="plot-hint" x="${left}" y="0" width="${at(step)}" height="${room.height}" data-plot-target="point" data-action="pointerenter->plot#say"><title>${words}</title></rect>`
    if (address === undefined) return hint
    return html`<a class="plot-link" href="${address}" target="_self" aria-label="${words}" data-plot-target="link" data-action="focus->plot#say keydown->plot#move">${hint}</a>`
  })}`
}
