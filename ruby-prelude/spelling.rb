# Returns the name that is nearest to a misspelt one, or nil if none is near.
module Sandbox
  module Spelling
    MAX_LENGTH = 60

    def self.nearest(word, candidates)
      word = word.to_s
      return if word.empty? || word.size > MAX_LENGTH
      allowed = [word.size / 3, 1].max
      scored = candidates.map(&:to_s).uniq.reject { |name| name == word || (name.size - word.size).abs > allowed }
      best = scored.map { |name| [distance(word, name), name] }.min
      best.last if best && best.first <= allowed
    end

    # Returns the Levenshtein distance of two texts. Two texts with the same letters in another order count as one mistake.
    def self.distance(left, right)
      return 1 if left.size == right.size && left.chars.sort == right.chars.sort
      row = (0..right.size).to_a
      left.each_char.with_index(1) do |character, line|
        diagonal, row[0] = row[0], line
        right.each_char.with_index(1) do |other, column|
          cost = character == other ? diagonal : 1 + [diagonal, row[column], row[column - 1]].min
          diagonal, row[column] = row[column], cost
        end
      end
      row.last
    end
  end
end
