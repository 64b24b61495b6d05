# The stems by which `tools.search` finds operations, and the weight of each.
module Sandbox
  module SearchIndex
    # Weights by where a word occurs: path, summary, description, names of shown fields, descriptions of accepted fields.
    NAMED = 6.0
    SUMMARIZED = 3.0
    DESCRIBED = 1.5
    SHOWN = 1.0
    MENTIONED = 0.5
    # "checkout" says less about /checkout_links than about /checkouts.
    PART_OF_NAME = 0.6
    # Words of a long text weigh less than those of a short one: by this share at twice the usual length.
    LENGTH = 0.5
    USUAL_LENGTH = 25.0
    # The minimum number of operations that a word is assumed to have, which limits the weight of rare words.
    COMMON = 6.0
    # Actions are common to many operations, but distinguish those of one resource.
    DEED_RARITY = 2.4
    # The actions of each method, for one addressed resource and for all.
    DEEDS = { "GET" => %w[show list], "POST" => [nil, "create"], "PATCH" => %w[change change], "DELETE" => ["delete", nil] }.freeze
    # Phrases that many descriptions share: additional events, returned objects, references to fields.
    ASIDES = /Also emits [^ ]+(?:, [^ ]+)*\.|Returns \{[^}]*\}\.|Fields as in [^.]*\.|4\d\d \w+/

    module_function

    # Returns the stems by which an operation is found, each with its highest weight.
    def weights(tool)
      weights = Hash.new(0.0)
      places(tool).each { |weight, stems| stems.each { |stem| weights[stem] = [weights[stem], weight].max } }
      weights
    end

    def places(tool)
      described = Words.stems(tool[:description].gsub(ASIDES, " "))
      mentioned = Words.stems(mentions(tool))
      [
        [by_length(MENTIONED, mentioned), mentioned],
        [SHOWN, shown(tool).flat_map { |name| Words.with_pairs(name) }],
        [by_length(DESCRIBED, described), described],
        [DESCRIBED, names(tool).flat_map { |name| Words.with_pairs(name) }],
        [SUMMARIZED, Words.with_pairs(tool[:summary])],
        *segments(tool).flat_map { |segment| named(segment) },
        [NAMED, [deed(tool)].compact]
      ]
    end

    def by_length(weight, words) = weight / (1 - LENGTH + LENGTH * [words.size / USUAL_LENGTH, 1.0].max)

    def named(segment)
      whole, parts = Words.joined(segment), Words.stems(segment)
      [[NAMED, [whole]], [NAMED * PART_OF_NAME, parts]]
    end

    def segments(tool) = tool[:path].split("/").reject { |part| part.empty? || part.start_with?("{") }

    # Actions with a path of their own are named by the path instead.
    def deed(tool)
      on_one, on_all = DEEDS.fetch(tool[:method])
      found = tool[:path].end_with?("}") ? on_one : (on_all if segments(tool).size == 1)
      found && Words.stem(found)
    end

    def properties(tool) = (tool[:request_body] || {})["properties"] || {}
    def mentions(tool) = (properties(tool).values + tool[:parameters]).filter_map { |one| one["description"] }.join(" ")

    # Returns the fields in the response of a read: a search for "balance" should find the account.
    def shown(tool)
      return [] unless tool[:method] == "GET"
      named = tool[:description][/Returns (?:a page of|an?) ([a-z0-9 ]+)/, 1].to_s.tr(" ", "_")
      name = [named, named.delete_suffix("s"), named.sub(/ies\z/, "y")].find { |one| RESOURCES.key?(one) }
      name && RESOURCES[name].key?("fields") ? RESOURCES[name]["fields"].keys : []
    end

    # Returns the names of parameters and fields, and enum values: "failed" finds the lists that can be filtered by it.
    def names(tool)
      schemas = properties(tool).values + tool[:parameters].filter_map { |parameter| parameter["schema"] }
      properties(tool).keys + tool[:parameters].map { |parameter| parameter["name"] } +
        schemas.flat_map { |schema| schema["enum"] || [] }.grep(String)
    end

    # The positions of the operations that each stem finds, with its weight for each.
    PLACES = Tables.make(TOOLS.each_with_index) do |(tool, position), index|
      weights(tool).each { |stem, weight| (index[stem] ||= []) << [position, weight] }
    end
    DEED_STEMS = DEEDS.values.flatten.compact.to_h { |deed| [Words.stem(deed), DEED_RARITY] }.freeze
    RARITY = PLACES.to_h do |stem, places|
      [stem, Math.log(1.0 + TOOLS.size / [places.sum(&:last) / NAMED, COMMON].max)]
    end.merge(DEED_STEMS).freeze
    # Names of several words: "blog post" is one thing.
    NAMES = TOOLS.flat_map { |tool| segments(tool) }.grep(/_/).to_h { |name| [Words.joined(name), true] }.freeze
  end
end
