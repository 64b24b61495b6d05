import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { type Axes, at } from './axes.ts'
import type { Point, Unit } from './series.ts'

/** A bar for each point: what happened in that time. */
export function bars({ x, y }: Axes, points: Point[]): Page {
  const drawn = points.map(({ value }, place) => {
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))]
    if (value === 0) return ''
    return html`<rect class="plot-bar" x="${at(x(place)!)}" y="${at(top)}" width="${at(x.bandwidth())}" height="${at(Math.max(1, bottom - top))}" rx="2"/>`
  })
  return html`${drawn}`
}

/** A line through the points: how much there was at the end of each time. */
export function course({ x, y }: Axes, points: Point[]): Page {
  const middle = (place: number) => x(place)! + x.bandwidth() / 2
  const across = (_: Point, place: number) => middle(place)
  const path = line<Point>(across, ({ value }) => y(value)).digits(1)(points)
  const below = area<Point>(across, y(0), ({ value }) => y(value)).digits(1)(points)
  const last = points.length - 1
  return html`<path class="plot-area" d="${below}"/><path class="plot-course" d="${path}"/>
<circle class="plot-end" cx="${at(middle(last))}" cy="${at(y(points[last]!.value))}" r="3"/>`
}

/** Says the value of each point where the pointer rests, and leads to what happened in it, where it does. */
export function hints({ x, room }: Axes, points: Point[], unit: Unit): Page {
  const step = x.step()
  return html`${points.map(({ label, value, address }, place) => {
    const words = `${label}: ${unit.text(value)}`
    const left = at(x(place)! - (step - x.bandwidth()) / 2)
    const hint = html`<rect class="plot-hint" x="${left}" y="0" width="${at(step)}" height="${room.height}" data-plot-target="point" data-action="pointerenter->plot#say"><title>${words}</title></rect>`
    if (address === undefined) return hint
    return html`<a class="plot-link" href="${address}" target="_self" aria-label="${words}" data-plot-target="link" data-action="focus->plot#say keydown->plot#move">${hint}</a>`
  })}`
}
