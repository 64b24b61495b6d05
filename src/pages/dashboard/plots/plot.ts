import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatMoney, formatMoneyShort } from '../../../format/money.ts'
import { formatNumber, formatNumberShort, formatPercent } from '../../../format/numbers.ts'
import { type Column, type Page, plainTable } from '../../parts/markup.ts'

export interface Point {
  /** The short label below the axis, such as `5 May`. */
  tick: string
  /** The label in the table and on hover, such as `5 May 2026`. */
  label: string
  value: number
  /** The address of the list with the orders or events of this interval. */
  address?: string | undefined
}

/** Formats values in full for text and tables, and short for the axis. */
interface Unit {
  text(value: number): string
  short(value: number): string
  /** Whether the labels of the axis are whole numbers only. */
  whole?: boolean
}

export const COUNT: Unit = {
  text: formatNumber,
  short: formatNumberShort,
  whole: true,
}

export function moneyUnit(currency: string): Unit {
  return { text: (value) => formatMoney(value, currency), short: (value) => formatMoneyShort(value, currency) }
}

/** Compares a value with an earlier one, in words and not only by color, because color alone is not accessible. */
export function change(value: number, before: number, unit: Unit, than: string): Page {
  const when = than === '' ? '' : ` ${than.startsWith('the start') ? 'at' : 'in'} ${than}`
  const then = html`${unit.text(before)}${when}`
  if (value === before) return html`${than === '' ? 'Unchanged' : `As much as${when}`}`
  if (before <= 0) return html`${than === '' ? html`Before: ${then}` : then}`
  const percent = Math.round(((value - before) / before) * 100)
  const [tone, word] = value > before ? ['up', 'more'] : ['down', 'less']
  const size = percent === 0 ? 'Slightly' : formatPercent(Math.abs(percent))
  return html`<span class="${tone}">${size} ${word}</span> <span>than ${then}</span>`
}

/** Shows how many orders in the figures are simulated, so that they moved no money. `most` is the number at which counting stopped. */
export function simulatedNote({ simulated_orders: count }: { simulated_orders: number }, most = Infinity): Page {
  if (count === 0) return html``
  const orders = count < most ? counted(count, 'simulated order') : `${formatNumber(most)} or more simulated orders`
  return html`<p class="notice">These figures include ${orders}, which moved no money.</p>`
}

const ROOMS: ChartSize[] = [
  { name: 'wide', width: 560, height: 190, ticks: 7 },
  { name: 'narrow', width: 290, height: 170, ticks: 4 },
]

const TOP = 8
const BOTTOM = 22
/** The space for the labels of the value axis. */
const LEFT = 46
/** The space for the half of the last label that extends beyond its bar. */
const RIGHT = 16
const VALUES = 3

export interface PlotOptions {
  /** An element id that is unique on the page. */
  id: string
  /** The quantity and its unit: `Revenue in USD`. */
  title: string
  /** The shape of the chart. Bars show the total of each interval, and a course shows the level at the end of each interval. */
  shape: 'bars' | 'course'
  points: Point[]
  unit: Unit
  /** The heading of the column with the points' labels: `Day`. */
  of: string
}

/** Draws a chart and a table. The chart is SVG with CSS classes, so that it needs no script and follows the page's colors. */
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
  // The script shows the value at the pointer or the focus in this element. Without scripts, the table shows all values.
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

function bars({ x, y }: Axes, points: Point[]): Page {
  const drawn = points.map(({ value }, place) => {
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))]
    if (value === 0) return ''
    return html`<rect class="plot-bar" x="${rounded(x(place)!)}" y="${rounded(top)}" width="${rounded(x.bandwidth())}" height="${rounded(Math.max(1, bottom - top))}" rx="2"/>`
  })
  return html`${drawn}`
}

function course({ x, y }: Axes, points: Point[]): Page {
  const middle = (place: number) => x(place)! + x.bandwidth() / 2
  const across = (_: Point, place: number) => middle(place)
  const path = line<Point>(across, ({ value }) => y(value)).digits(1)(points)
  const below = area<Point>(across, y(0), ({ value }) => y(value)).digits(1)(points)
  const last = points.length - 1
  return html`<path class="plot-area" d="${below}"/><path class="plot-course" d="${path}"/>
<circle class="plot-end" cx="${rounded(middle(last))}" cy="${rounded(y(points[last]!.value))}" r="3"/>`
}

/** Renders areas over the points, which show the value on hover and link to the orders or events of the interval. */
function hints({ x, room }: Axes, points: Point[], unit: Unit): Page {
  const step = x.step()
  return html`${points.map(({ label, value, address }, place) => {
    const words = `${label}: ${unit.text(value)}`
    const left = rounded(x(place)! - (step - x.bandwidth()) / 2)
    const hint = html`<rect class="plot-hint" x="${left}" y="0" width="${rounded(step)}" height="${room.height}" data-plot-target="point" data-action="pointerenter->plot#say"><title>${words}</title></rect>`
    if (address === undefined) return hint
    return html`<a class="plot-link" href="${address}" target="_self" aria-label="${words}" data-plot-target="link" data-action="focus->plot#say keydown->plot#move">${hint}</a>`
  })}`
}

/** The size of a drawing. A wide and a narrow version are rendered, so that text keeps its size on every screen. */
interface ChartSize {
  name: 'wide' | 'narrow'
  width: number
  height: number
  /** The maximum number of labels below the axis. */
  ticks: number
}

interface Axes {
  room: ChartSize
  x: ScaleBand<number>
  y: ScaleLinear<number, number>
  drawing: Page
}

function axesOf(points: Point[], unit: Unit, room: ChartSize): Axes {
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
    ) => html`<line class="${value === 0 ? 'plot-base' : 'plot-line'}" x1="${LEFT}" x2="${width}" y1="${rounded(y(value))}" y2="${rounded(y(value))}"/>
<text class="plot-text" x="${LEFT - 8}" y="${rounded(y(value) + 4)}" text-anchor="end">${unit.short(value)}</text>`,
  )
  return { room, x, y, drawing: html`${lines}${ticks(points, x, room)}` }
}

/** Renders as many labels below the axis as fit, including the label of the last point. */
function ticks(points: Point[], x: ScaleBand<number>, { ticks: most, height }: ChartSize): Page {
  const step = Math.ceil(points.length / most)
  const shown = points
    .map((point, place) => ({ point, place }))
    .filter(({ place }) => (points.length - 1 - place) % step === 0)
  return html`${shown.map(({ point, place }) => {
    const middle = x(place)! + x.bandwidth() / 2
    return html`<text class="plot-text" x="${rounded(middle)}" y="${height - 6}" text-anchor="middle">${point.tick}</text>`
  })}`
}

function values(points: Point[]): number[] {
  return points.map(({ value }) => value)
}

/** Keeps one decimal, because nobody can see finer differences. */
function rounded(place: number): string {
  return String(Math.round(place * 10) / 10)
}
