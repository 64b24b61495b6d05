import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import { type Column, type Page, plainTable } from '../../parts/markup.ts'
import type { Point, Unit } from './series.ts'

const ROOMS: Room[] = [
  { name: 'wide', width: 560, height: 190, ticks: 7 },
  { name: 'narrow', width: 290, height: 170, ticks: 4 },
]

const TOP = 8
const BOTTOM = 22
/** For the values at the axis. */
const LEFT = 46
/** For the half of the last text that is wider than its bar. */
const RIGHT = 16
const VALUES = 3

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

/** The room of a drawing. Wide and narrow ones are drawn, so that texts keep their size on every screen. */
interface Room {
  name: 'wide' | 'narrow'
  width: number
  height: number
  /** Texts under the axis that fit side by side. */
  ticks: number
}

interface Axes {
  room: Room
  x: ScaleBand<number>
  y: ScaleLinear<number, number>
  drawing: Page
}

/** Scales for the points, with the lines and texts that say what they mean. */
function axesOf(points: Point[], unit: Unit, room: Room): Axes {
  const { width, height } = room
  const x = scaleBand<number>()
    .domain(points.map((_, place) => place))
    .range([LEFT, width - RIGHT])
    .paddingInner(0.3)
    .paddingOuter(0.15)
  const [least, most] = [Math.min(0, ...values(points)), Math.max(0, ...values(points))]
  const y = scaleLinear()
    .domain([least, most === least ? least + 1 : most])
    .nice(VALUES)
    .range([height - BOTTOM, TOP])
  const marks = y.ticks(VALUES).filter((value) => !unit.whole || Number.isInteger(value))
  const lines = marks.map(
    (
      value,
    ) => html`<line class="${value === 0 ? 'plot-base' : 'plot-line'}" x1="${LEFT}" x2="${width}" y1="${at(y(value))}" y2="${at(y(value))}"/>
<text class="plot-text" x="${LEFT - 8}" y="${at(y(value) + 4)}" text-anchor="end">${unit.short(value)}</text>`,
  )
  return { room, x, y, drawing: html`${lines}${ticks(points, x, room)}` }
}

/** Texts of some points, the last one among them, as many as have room. */
function ticks(points: Point[], x: ScaleBand<number>, { ticks: most, height }: Room): Page {
  const step = Math.ceil(points.length / most)
  const shown = points
    .map((point, place) => ({ point, place }))
    .filter(({ place }) => (points.length - 1 - place) % step === 0)
  return html`${shown.map(({ point, place }) => {
    const middle = x(place)! + x.bandwidth() / 2
    return html`<text class="plot-text" x="${at(middle)}" y="${height - 6}" text-anchor="middle">${point.tick}</text>`
  })}`
}

function values(points: Point[]): number[] {
  return points.map(({ value }) => value)
}

/** A place in the drawing, with as many decimals as can be seen. */
function at(place: number): string {
  return String(Math.round(place * 10) / 10)
}
