const DAY_S = 86_400
const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** When quotas begin anew: the next midnight of the Pacific, in milliseconds since 1970. */
export function quotaRenewedAt(now: number): number {
  const midnight = now - (now % 1000) + (DAY_S - secondsOfDay(now)) * 1000
  const offBy = secondsOfDay(midnight)
  // The day has an hour more or less where the clocks are changed.
  return midnight - (offBy > DAY_S / 2 ? offBy - DAY_S : offBy) * 1000
}

function secondsOfDay(at: number): number {
  const parts = clock.formatToParts(at)
  const count = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return (count('hour') * 60 + count('minute')) * 60 + count('second')
}
