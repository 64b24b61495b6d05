import { describe, expect, it } from 'vitest'
import { COUNT, plot } from '../../src/pages/dashboard/plots/plot.ts'

describe('A plot', () => {
  it.each([1, 3, 4, 7, 14, 30])('of %d days has each day below its own bar', (days) => {
    const points = Array.from({ length: days }, (_, day) => ({
      tick: `${day + 1} May`,
      label: `Day ${day + 1}`,
      value: 1,
    }))
    const page = String(plot({ id: 'sales', title: 'Sales', shape: 'bars', points, unit: COUNT, of: 'Day' }))
    for (const [drawing, width] of page.matchAll(/<svg[^>]*viewBox="0 0 (\d+) [\s\S]*?<\/svg>/g)) {
      const bars = [...drawing.matchAll(/class="plot-bar" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)]
      const ticks = [...drawing.matchAll(/x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)">(\d+) May</g)]
      expect([bars.length, ticks.length > 0]).toEqual([days, true])
      for (const [, x, anchor, day] of ticks) {
        const [, left, size] = bars[Number(day) - 1]!
        expect(anchor).toBe('middle')
        expect(Math.abs(Number(x) - (Number(left) + Number(size) / 2))).toBeLessThan(0.2)
        expect(Number(x)).toBeLessThan(Number(width) - 15)
      }
      expect(ticks.at(-1)![3]).toBe(String(days))
    }
  })
})
