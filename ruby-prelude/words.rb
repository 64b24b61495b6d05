# Reduces a text to the stems of its words: "The buyers' replies" becomes `the buyer repli`.
module Sandbox
  module Words
    # Irregular forms of words, each followed by its base form.
    IRREGULAR = %w[
      planned schedul paid pay sent send made make wrote write written write gone go went go said say ran run got get
      gave give given give took take taken take saw see seen see did do done do does do spent spend kept keep told tell
      forgot forget forgotten forget chose choose chosen choose hid hide hidden hide built build thought think came come
      has have had have was be were be is be are be been be lost lose began begin begun begin shown show undid undo undone undo
    ].each_slice(2).to_h.freeze

    # E-mail addresses are not words: "give ada@example.com 10 % off".
    ADDRESS = /\S+@\S+/

    module_function

    def stems(text)
      plain = text.downcase.gsub(ADDRESS, " ").gsub(/\be-mail/, "email").gsub("%", " percent ").gsub(/n['’]t\b/, " not ").gsub(/['’](?:s|re|ve|ll|d|m)?\b/, " ")
      plain.scan(/[a-z0-9]+/).map { |word| stem(word) }
    end

    # Returns the stems, and each pair of adjacent words as one more stem, so that "support_email" is found by its two words.
    def with_pairs(text)
      found = stems(text)
      found + found.each_cons(2).map { |pair| pair.join("_") }
    end

    def joined(words) = stems(words).join("_")

    # Returns the stem that all forms of a word share: "replies" and "reply", "canceled" and "cancel".
    def stem(word)
      return IRREGULAR[word] if IRREGULAR.key?(word)
      return word if word.size < 4
      root = word.sub(/(?<![siu])s\z/, "").sub(/ie\z/, "y")
      root = root.sub(/(?<=[a-z]{3})(?:ing|ed)\z/, "").sub(/([^aeiouls])\1\z/, '\1')
      root.size > 3 ? root.sub(/e\z/, "").sub(/y\z/, "i") : root
    end
  end
end
