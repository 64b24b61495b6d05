import { describe, expect, it } from 'vitest'
import { presignedUrl } from '../../../src/providers/files/s3/s3.ts'
import { isPresigned, type Signer, signatureOf } from '../../support/s3-signature.ts'

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('A signature', () => {
  it('is that of the examples in the reference of Amazon S3', async () => {
    const signer: Signer = {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      service: 's3',
    }
    const [now, moment] = [new Date('2013-05-24T00:00:00Z'), '20130524T000000Z']
    const host = 'examplebucket.s3.amazonaws.com'
    const sign = (method: string, path: string, headers: Record<string, string>, payload = EMPTY) => {
      const all = { host, 'x-amz-date': moment, 'x-amz-content-sha256': payload, ...headers }
      return signatureOf({ method, url: new URL(`https://${host}${path}`), headers: all }, payload, signer, moment)
    }
    expect(sign('GET', '/test.txt', { range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    const put = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
    const welcome = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
    expect(sign('PUT', '/test$file.text', put, welcome)).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
    expect(sign('GET', '/?lifecycle', {})).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
    expect(sign('GET', '/?max-keys=2&prefix=J', {})).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
    const url = new URL(`https://${host}/test.txt`)
    const signed = new URL(await presignedUrl({ method: 'GET', url }, signer, { now, seconds: 86_400 }))
    expect(signed.searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })

  it('is that of the published test suite of Signature Version 4', () => {
    const signer: Signer = {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      service: 'service',
    }
    const moment = '20150830T123600Z'
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': moment }
    const sign = (method: string, path: string) =>
      signatureOf({ method, url: new URL(`https://example.amazonaws.com${path}`), headers }, EMPTY, signer, moment)
    // get-vanilla, get-vanilla-query-order-key-case, post-vanilla
    expect(sign('GET', '/')).toBe('5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31')
    expect(sign('GET', '/?Param2=value2&Param1=value1')).toBe(
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    )
    expect(sign('POST', '/')).toBe('5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b')
  })

  it('is the one that another implementation makes, for headers and paths of every kind', async () => {
    const signer: Signer = { accessKeyId: 'KEY', secretAccessKey: 'SECRET', region: 'eu-central-1', service: 's3' }
    const host = 'store.example:9000'
    for (const path of ['/bucket/acct_1/file_2', "/bucket/a b/c%2Bd/~!'()*", '/bucket/?list-type=2&prefix=acct_1%2F']) {
      for (const headers of [{}, { 'if-none-match': '*', 'content-length': '12' }] as Record<string, string>[]) {
        const request = { method: 'PUT', url: new URL(`https://${host}${path}`), headers }
        const url = new URL(await presignedUrl(request, signer, { now: new Date(0), seconds: 60 }))
        const sent = { method: 'PUT', url, headers: { host, ...headers } }
        expect([path, isPresigned(sent, signer)]).toEqual([path, true])
        const others = [
          { ...sent, method: 'GET' },
          { ...sent, headers: { ...sent.headers, host: 'other.example' } },
        ]
        for (const name of Object.keys(headers)) others.push({ ...sent, headers: { ...sent.headers, [name]: '13' } })
        expect([path, others.filter((other) => isPresigned(other, signer))]).toEqual([path, []])
      }
    }
  })
})
