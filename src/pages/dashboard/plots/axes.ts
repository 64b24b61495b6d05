import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import type { Point, Unit } from './series.ts'

/** The room of a drawing. Wide and narrow ones are drawn, so that texts keep their size on every screen. */
export interface Room {
  name: 'wide' | 'narrow'
  width: number
  height: number
  /** Texts under the axis that fit side by side. */
  ticks: number
}

export const ROOMS: Room[] = [
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

export interface Axes {
  room: Room
  x: ScaleBand<number>
  y: ScaleLinear<number, number>
  drawing: Page
}

/** Scales for the points, with the lines and texts that say what they mean. */
export function axesOf(points: Point[], unit: Unit, room: Room): Axes {
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
export function at(place: number): string {
  return String(Math.round(place * 10) / 10)
}
