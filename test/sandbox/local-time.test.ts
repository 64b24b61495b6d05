import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Question, Sandbox } from '../../src/sandbox/api.ts'
import { some } from '../support/depth.ts'
import { type Clocks, clocksOf2026 } from './clocks.ts'
import { errorOf, execute, openRoom, resultOf } from './room.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

/** An account in New York, whose clock is a year ahead. */
const account = async ({ about }: Question): Promise<Json> => (about === 'zone' ? 'America/New_York' : YEAR_MS)
const value = (code: string) => resultOf(room, code, { ask: account })
const error = (code: string) => errorOf(room, code, { ask: account })

describe('local', () => {
  it.each([
    ['"2026-11-30 09:00"', '2026-11-30T14:00:00Z'],
    ['"2026-07-01T9:00:30"', '2026-07-01T13:00:30Z'],
    ['"2026-11-30"', '2026-11-30T05:00:00Z'],
    ['Date.new(2026, 11, 30)', '2026-11-30T05:00:00Z'],
    ['"2026-11-30 09:00", zone: "Asia/Kolkata"', '2026-11-30T03:30:00Z'],
    ['"2026-11-01 01:30", later: true', '2026-11-01T06:30:00Z'],
  ])('of %s is %s', async (given, moment) => {
    const outcome = await execute(room, `local(${given})`, { ask: account })
    expect(outcome).toMatchObject({ ok: true, value: moment, warnings: [] })
  })

  it('takes the first of two moments, and the first one after a gap, and says so', async () => {
    expect(await execute(room, 'local("2026-11-01 01:30")', { ask: account })).toMatchObject({
      value: '2026-11-01T05:30:00Z',
      warnings: [
        'local("2026-11-01 01:30") is shown twice in America/New_York, whose clocks go back then; 2026-11-01T05:30:00Z, the first, was taken. later: true takes 2026-11-01T06:30:00Z.',
      ],
    })
    expect(await execute(room, 'local("2026-03-08 02:30")', { ask: account })).toMatchObject({
      value: '2026-03-08T07:00:00Z',
      warnings: [
        'local("2026-03-08 02:30") is skipped in America/New_York, whose clocks go forward then; 2026-03-08T07:00:00Z, the first moment after, was taken.',
      ],
    })
  })

  it('says it five times at most', async () => {
    const code = '20.times { |i| local("2026-11-01 01:#{10 + i}") }'
    expect((await execute(room, code, { ask: account })).warnings).toHaveLength(5)
  })

  it.each([
    ['"2026-02-30"', '"2026-02-30" is not a day of the calendar (ArgumentError)'],
    [
      '"2026-11-30 25:00"',
      '"2026-11-30 25:00" has no such time; hours are 00 to 23, minutes and seconds 00 to 59 (ArgumentError)',
    ],
    ['"9:00"', 'local takes a date and a time such as "2026-11-30 09:00", not "9:00" (ArgumentError)'],
    ['nil', 'local takes a date and a time such as "2026-11-30 09:00", not nil (TypeError)'],
    ['[]', 'local takes a date and a time such as "2026-11-30 09:00", not Array (TypeError)'],
    [
      '"2026-11-30T09:00:00Z"',
      '"2026-11-30T09:00:00Z" is a moment already and needs no local; in_zone shows it as the zone\'s clocks do (ArgumentError)',
    ],
    ['"1969-12-31"', 'years are 1970 to 9998, not 1969 (ArgumentError)'],
    [
      '"2026-11-30", zone: "America/New_Yrok"',
      '"America/New_Yrok" is not a known IANA time zone; did you mean "America/New_York"? (ArgumentError)',
    ],
    [
      '"2026-11-30", zone: "Mars"',
      '"Mars" is not a known IANA time zone; use a name such as "Europe/Berlin" (ArgumentError)',
    ],
    ['"2026-11-30", zone: :utc', 'zone: takes a name such as "Europe/Berlin", not Symbol (ArgumentError)'],
    [
      '"2026-11-30", zone: "x" * 10_000',
      `zone: takes a name such as "Europe/Berlin", not "${'x'.repeat(50)}" (ArgumentError)`,
    ],
    [
      '"2026-11-30" + " " * 200_000 + "x"',
      `local takes a date and a time such as "2026-11-30 09:00", not "2026-11-30${' '.repeat(40)}" (ArgumentError)`,
    ],
  ])('refuses %s in words', async (given, message) => {
    expect(await error(`local(${given})`)).toMatchObject({ type: 'ruby_error', message })
  })
})

describe('A period', () => {
  it.each([
    ['day("2026-10-05")', '2026-10-05T04:00:00Z', '2026-10-06T04:00:00Z'],
    ['day(Date.new(2026, 3, 8))', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['day("2026-10-05T02:00:00Z")', '2026-10-04T04:00:00Z', '2026-10-05T04:00:00Z'],
    ['day("2026-10-05", zone: "Asia/Tokyo")', '2026-10-04T15:00:00Z', '2026-10-05T15:00:00Z'],
    // Midnight is skipped: the day begins an hour later.
    ['day("2026-04-24", zone: "Africa/Cairo")', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    ['week("2026-10-07")', '2026-10-05T04:00:00Z', '2026-10-12T04:00:00Z'],
    ['week("2026-W41")', '2026-10-05T04:00:00Z', '2026-10-12T04:00:00Z'],
    ['month("2026-10")', '2026-10-01T04:00:00Z', '2026-11-01T04:00:00Z'],
    ['month("2026-11-30")', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['month(Date.new(2026, 12, 31))', '2026-12-01T05:00:00Z', '2027-01-01T05:00:00Z'],
    ['year(2026)', '2026-01-01T05:00:00Z', '2027-01-01T05:00:00Z'],
    ['year("2026")', '2026-01-01T05:00:00Z', '2027-01-01T05:00:00Z'],
  ])('%s is from %s until %s', async (code, from, after) => {
    expect(await value(code)).toBe(`${from}...${after}`)
    const call = await value(`get("/products", paid_at: ${code})`)
    expect(call).toMatchObject({ echo: { params: { paid_at: { gte: from, lt: after } } } })
  })

  it('is the present one unless a date is given', async () => {
    const today = (await value('in_zone.strftime("%Y-%m-%d")')) as string
    expect(today.slice(0, 4)).toBe(String(new Date(Date.now() + YEAR_MS).getUTCFullYear()))
    const code = `[day == day("${today}"), week == week("${today}"), month == month("${today}"), year == year("${today}")]`
    expect(await value(code)).toEqual([true, true, true, true])
  })

  it('compares with rows, times and dates of any offset', async () => {
    const asked = [
      '"2026-10-01T04:00:00Z"',
      '"2026-11-01T03:59:59Z"',
      '"2026-10-31T23:59:59-04:00"',
      'Time.utc(2026, 10, 20)',
      '"2026-11-01T04:00:00Z"',
      '"2026-10-01T03:59:59Z"',
      'nil',
      '5',
    ]
    expect(await value(`october = month("2026-10"); [${asked.join(', ')}].map { |row| october.cover?(row) }`)).toEqual(
      asked.map((_, index) => index < 4),
    )
    expect(await value('case "2026-10-05T02:00:00Z" when month("2026-10") then 1 else 2 end')).toBe(1)
  })

  it.each([
    ['month("2026-13")', 'there is no month "2026-13" (ArgumentError)'],
    ['week("2026-W54")', 'there is no week "2026-W54" (ArgumentError)'],
    ['day("2026-02-29")', '"2026-02-29" is not a day of the calendar (ArgumentError)'],
    [
      'day("tomorrow")',
      'day takes a text such as "2026-10-05", a date, a moment such as row["created_at"], or nothing for the present day, not "tomorrow" (ArgumentError)',
    ],
    [
      'day(nil)',
      'day takes a text such as "2026-10-05", a date, a moment such as row["created_at"], or nothing for the present day, not nil (TypeError)',
    ],
    ['year(9999)', 'years are 1970 to 9998, not 9999 (ArgumentError)'],
    [
      'day("2011-12-30", zone: "Pacific/Apia")',
      '2011-12-30 did not exist in Pacific/Apia, whose clocks were set forward past it (ArgumentError)',
    ],
    [
      'month("2026-10").map { |moment| moment }',
      'a period has no parts; day, week and month take a date: (date..date + 6).map { |date| day(date) } (TypeError)',
    ],
    [
      'month("2026-10").step(2) { }',
      'a period has no parts; day, week and month take a date: (date..date + 6).map { |date| day(date) } (TypeError)',
    ],
  ])('%s is refused in words', async (code, message) => {
    expect(await error(code)).toMatchObject({ type: 'ruby_error', message })
  })
})

describe('in_zone', () => {
  it('shows a moment as the clocks of the zone do', async () => {
    const code = 't = in_zone("2026-10-05T02:00:00Z"); [t, t.hour, t.to_date, t.strftime("%a %H:%M"), t.utc_offset]'
    expect(await value(code)).toEqual(['2026-10-04T22:00:00-04:00', 22, '2026-10-04', 'Sun 22:00', -14_400])
    expect(await value('in_zone(Time.at(0), zone: "Asia/Kolkata")')).toBe('1970-01-01T05:30:00+05:30')
    expect(await value('in_zone("2026-10-05T02:00:00.5+02:00", zone: "UTC")')).toBe('2026-10-05T00:00:00.500+00:00')
  })

  it.each([
    [
      '"2026-10-05"',
      'in_zone takes a moment such as row["created_at"], not "2026-10-05"; local reads a time without an offset (ArgumentError)',
    ],
    ['"2026-02-30T00:00:00Z"', 'there is no moment "2026-02-30T00:00:00Z" (ArgumentError)'],
    ['Time.at(10**12)', 'years are 1970 to 9998, not 33658 (ArgumentError)'],
    ['5', 'in_zone takes a moment such as row["created_at"], not 5 (TypeError)'],
  ])('refuses %s in words', async (given, message) => {
    expect(await error(`in_zone(${given})`)).toMatchObject({ type: 'ruby_error', message })
  })

  it('gives a time that knows its zone', async () => {
    const code = 't = in_zone("2026-10-05T02:00:00Z"); [t, t + 86_400 * 60].map { |one| one.strftime("%H:%M %Z %z") }'
    expect(await value(code)).toEqual(['22:00 America/New_York -0400', '22:00 America/New_York -0400'])
    expect(await value('in_zone(Time.at(0), zone: "Asia/Kolkata").zone.to_s')).toBe('Asia/Kolkata')
    expect(await value('"#{in_zone("2026-10-05T02:00:00Z").inspect}"')).toBe('2026-10-04 22:00:00 -0400')
    expect(await value('in_zone("2026-10-05T02:00:00Z") == Time.utc(2026, 10, 5, 2)')).toBe(true)
  })

  it('finds the key that a row lacks', async () => {
    const row = async () => ({ body: { object: 'order', paid_at: '2026-10-05T02:00:00Z' }, refused: false })
    const failed = await errorOf(room, 'in_zone(get("/products")["payed_at"])', { ask: account, call: row })
    expect(failed.hint).toBe('The answer has no key "payed_at"; did you mean "paid_at"?')
  })

  it('takes as many rows as a program can read', async () => {
    const code = '100_000.times.sum { |i| in_zone(Time.at(1_790_000_000 + i * 600)).hour } > 0'
    expect(await resultOf(room, code, { ask: account, deadlineMs: 250_000 })).toBe(true)
  })
})

describe('The account’s clock', () => {
  it('is that of Time, Date and DateTime', async () => {
    const [time, date, dateTime] = (await value('[Time.now, Date.today, DateTime.now]')) as [string, string, string]
    const expected = Date.now() + YEAR_MS
    for (const shown of [time, dateTime]) expect(Math.abs(Date.parse(shown) - expected)).toBeLessThan(30_000)
    expect([time.slice(0, 10), dateTime.slice(0, 10)]).toContain(date)
  })

  it('and the zone are asked for once a program, and not by those that need neither', async () => {
    const asked: string[] = []
    const ask = async (question: Question): Promise<Json> => {
      asked.push(question.about)
      return account(question)
    }
    await resultOf(room, 'get("/products"); [1].map(&:to_s)', { ask })
    expect(asked).toEqual([])
    await resultOf(room, '10.times { Time.now; day; in_zone }', { ask })
    expect(asked.sort()).toEqual(['clock', 'zone'])
    await resultOf(room, 'Time.now', { ask: async () => 0 })
    expect(Math.abs(Date.parse((await resultOf(room, 'Time.now')) as string) - Date.now())).toBeLessThan(30_000)
  })

  it('that cannot be read ends the program', async () => {
    const ask = async () => Promise.reject(new Error('No connection.'))
    expect(await errorOf(room, 'Time.now', { ask })).toMatchObject({
      type: 'host_error',
      message: 'A question about the account could not be answered: No connection.',
    })
  })

  it('is not for searches, which know no account', async () => {
    const search = (code: string) => room.run({ kind: 'search', code, queueKey: 'account', ask: account })
    expect(await search('local("2026-11-30 09:00", zone: "Asia/Tokyo")')).toMatchObject({
      value: '2026-11-30T00:00:00Z',
    })
    expect(await search('day')).toMatchObject({
      error: { message: expect.stringMatching(/^code_search knows no account and so no time zone; name one/) },
    })
  })
})

describe('In every time zone', () => {
  const all = clocksOf2026()
  // Those of the gate have different changes; the others are the same under other names.
  const kinds = [...new Map(all.map((one) => [JSON.stringify(one.changes), one])).values()]
  const chosen = [
    ...kinds,
    ...some(
      all.filter((one) => !kinds.includes(one)),
      0,
    ),
  ]

  it.each(chosen)('$zone', async ({ zone, moments, gaps }: Clocks) => {
    const code = `zone = ${JSON.stringify(zone)}
      shown = ${JSON.stringify(moments.map(({ at }) => at))}.map do |at|
        time = in_zone(Time.at(at), zone: zone)
        reading = time.strftime("%F %T")
        [time.utc_offset, local(reading, zone: zone), local(reading, zone: zone, later: true)]
      end
      days = ${JSON.stringify(moments.map(({ date }) => date))}.uniq.map { |date| [date, day(date, zone: zone)] }
      { shown: shown, gaps: ${JSON.stringify(gaps.map(({ reading }) => reading))}.map { |reading| local(reading, zone: zone) },
        torn: days.each_cons(2).reject { |(date, day), (other, after)| Date.parse(date) + 1 != Date.parse(other) || day.end == after.begin } }`
    const found = await resultOf(room, code, { deadlineMs: 60_000 })
    expect(found).toEqual({
      shown: moments.map(({ offset, first, last }) => [offset, first, last]),
      gaps: gaps.map(({ after }) => after),
      torn: [],
    })
  })
})
