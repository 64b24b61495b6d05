# Decides whether an operation matches a text as a whole, or only some of its words: the "rating" of reviews must not match "exchange rate".
module Sandbox
  module Fit
    # The minimum share of a text's weight that an operation must match.
    ENOUGH = 0.55
    # The share of its weight that an unmatched word counts: a word that other operations have, and one that may also be a verb.
    # A word that no operation has counts fully.
    KNOWN = 0.35
    DONE = 0.1
    UNKNOWN_RARITY = Math.log(1.0 + TOOLS.size / SearchIndex::COMMON)
    # Words about times, amounts and order are ignored, because filters or Ruby code handle them.
    FILLING = Words.stems(<<~WORDS).to_h { |word| [word, true] }.freeze
      when where who which what how why yesterday today tomorrow now week month quarter year day hour minute daily weekly monthly
      last next past recent latest first total count number many much more most least without each every all per old new called
      named until since between date range time start end than dollar euro usd eur percent email id
    WORDS
    # Matches a person's name in a sentence, such as "Ada" in "refund Ada".
    NAME = /(?<=[a-z,] )[A-Z]\w*/

    module_function

    def enough?(text, position) = share(text, position) >= ENOUGH

    def share(text, position)
      names = text.scan(NAME).map { |name| Words.stem(name.downcase) }
      met, missed = 0.0, 0.0
      Search.asked(Words.stems(text)).each do |term|
        next if FILLING.key?(term) || names.include?(term) || term.match?(/\A\d+\z/)
        weight, here, loss = weigh(term, position)
        met += weight * here
        missed += weight * (1 - here) * loss
      end
      met + missed > 0 ? met / (met + missed) : 0.0
    end

    # Returns the weight of a word, how well the operation matches it (0 to 1), and the share of the unmatched weight that counts.
    def weigh(term, position)
      deeds, things = [[term, 1.0], *Search::SYNONYMS.fetch(term, [])].partition { |meaning, _| SearchIndex::DEED_STEMS.key?(meaning) }
      known = things.select { |meaning, _| SearchIndex::RARITY.key?(meaning) }
      return [deeds.empty? ? UNKNOWN_RARITY : 0.0, 0.0, 1.0] if known.empty?
      weight = known.map { |meaning, _| SearchIndex::RARITY[meaning] }.max
      [weight, known.map { |meaning, share| share * there(meaning, position) }.max, deeds.empty? ? KNOWN : DONE]
    end

    def there(meaning, position)
      _, weight = SearchIndex::PLACES[meaning].find { |place, _| place == position }
      [weight.to_f / SearchIndex::SUMMARIZED, 1.0].min
    end
  end
end
