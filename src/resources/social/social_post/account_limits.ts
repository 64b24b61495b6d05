import type { Interaction } from '../../../contract/values/post-audiences.ts'
import { NETWORK_LIMITS, type NetworkLimits, type SideLimits } from '../../../outside/social/limits.ts'
import type { SocialAccountRow } from '../social_account/social_account.ts'

export interface AccountLimits extends NetworkLimits {
  /** What a link counts for there; undefined: what it counts for on the platform. */
  charactersPerLink: number | undefined
  /** Interactions that the account allows on none of its posts. */
  switchedOff: readonly Interaction[]
}

/** The limits of an account: those of its own server, where it has said them, before those of its platform. */
export function limitsOf({ platform, limits }: Pick<SocialAccountRow, 'platform' | 'limits'>): AccountLimits {
  const usual: NetworkLimits = NETWORK_LIMITS[platform]
  const { characters, charactersPerLink, media, imageBytes, videoBytes, videoSeconds, mediaTypes, ...more } =
    limits ?? {}
  return {
    ...usual,
    characters: characters ?? usual.characters,
    charactersPerLink,
    ...(usual.audiences && { audiences: more.audiences ?? usual.audiences }),
    switchedOff: more.switchedOff ?? [],
    images: media ?? usual.images,
    imageBytes: imageBytes ?? usual.imageBytes,
    videoBytes: videoBytes ?? usual.videoBytes,
    videoSeconds: videoSeconds ?? usual.videoSeconds,
    imageSides: sidesOf(usual.imageSides, more.imagePixels),
    videoSides: sidesOf(usual.videoSides, more.videoPixels),
    imageTypes: mediaTypes?.filter((type) => type.startsWith('image/')) ?? usual.imageTypes,
    videoTypes: mediaTypes?.filter((type) => type.startsWith('video/')) ?? usual.videoTypes,
  }
}

function sidesOf(usual: SideLimits = {}, mostPixels = usual.mostPixels): SideLimits {
  return { ...usual, ...(mostPixels !== undefined && { mostPixels }) }
}
