import type { Ratio, SideLimits } from '../../../outside/social/limits.ts'
import { formatNumber } from '../../../words/numbers.ts'

/** Null where they are not known: then only the platform checks. */
export interface Sides {
  width: number | null
  height: number | null
}

type Known = { [Side in keyof Sides]: number }
/** The rest of a sentence that begins with what it is about, for the name of a platform. */
type Problem = (platform: string) => string

/** Why a platform does not take the shape, or the pixels, of one of these. Each kind of problem is said once. */
export function sideProblems(media: readonly Sides[], limits: SideLimits = {}): Problem[] {
  const known = media.filter((one): one is Known => one.width !== null && one.height !== null)
  return [shapeProblem, pixelProblem].flatMap((problemOf) => {
    const problems = known.map((sides) => problemOf(sides, limits))
    return problems.find((problem) => problem !== null) ?? []
  })
}

function shapeProblem(sides: Known, { leastRatio, mostRatio }: SideLimits): Problem | null {
  const shape = [sides.width, sides.height] as const
  if (mostRatio && hundredths(shape) > hundredths(mostRatio))
    return (platform) => `that is too wide for ${platform} (${inWords(shape)}, at most ${mostRatio.join(':')})`
  if (leastRatio && hundredths(shape) < hundredths(leastRatio))
    return (platform) => `that is too tall for ${platform} (${inWords(shape)}, at least ${leastRatio.join(':')})`
  return null
}

function pixelProblem({ width, height }: Known, { leastSide = 1, mostSide, mostPixels }: SideLimits): Problem | null {
  const pixels = width * height
  const own = `${width} × ${height}`
  if (Math.min(width, height) < leastSide)
    return (platform) => `with too few pixels for ${platform} (${own}, minimum is ${leastSide} × ${leastSide})`
  if (mostSide !== undefined && Math.max(width, height) > mostSide)
    return (platform) => `with too many pixels for ${platform} (${own}, maximum is ${mostSide} × ${mostSide})`
  if (mostPixels === undefined || pixels <= mostPixels) return null
  const [said, most] = [formatNumber(pixels), formatNumber(mostPixels)]
  return (platform) => `with too many pixels for ${platform} (${own} are ${said}, maximum is ${most})`
}

/** As exact as platforms write them: they take a picture of 1200 × 628, which is 1.911:1, as one of 1.91:1. */
function hundredths([width, height]: Ratio): number {
  return Math.round((100 * width) / height)
}

function inWords([width, height]: Ratio): string {
  const [wide, tall] = [width / height, height / width].map((ratio) => formatNumber(Math.round(ratio * 100) / 100))
  return width >= height ? `${wide}:1` : `1:${tall}`
}
