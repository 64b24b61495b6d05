# Raised when a program uses the response of a refused call for anything except its error.
class RefusedError < StandardError
  # The error object of the API, and the line of the program with the refused call.
  attr_reader :error, :line

  def initialize(message = nil, call = nil)
    super(message)
    @error = call&.error
    @line = call&.line
  end
end

module Sandbox
  # A call that the API refused. `ordinal` is the number of the call in the program, from 0.
  RefusedCall = Struct.new(:ordinal, :status, :verb, :path, :line, :error, :looked_at, :returned) do
    def sentence
      place = line ? " on line #{line}" : ""
      "#{verb} #{path[0, 300]}#{place} was refused: #{reason}"
    end

    private

    def reason
      return error.to_s unless Hash === error
      facts = [status, error["code"]].compact.join(" ")
      facts.empty? ? error["message"].to_s : "#{error["message"]} (#{facts})"
    end
  end

  # The response to a refused call: a hash that contains only an error. Any other use raises, so that no program continues with a record
  # that was never created. A program that reads the error is assumed to handle the refusal.
  class Refusal < Hash
    NEUTRAL = %i[== eql? hash freeze].freeze
    KEY_CHECKS = %i[key? has_key? include? member?].freeze
    READERS = %i[
      inspect to_s to_json to_h to_hash to_a entries keys values each each_pair each_key each_value each_entry
      each_with_index each_with_object map collect flat_map collect_concat filter_map find detect find_all select filter
      reject any? all? none? reduce inject sort_by group_by partition transform_keys transform_values deconstruct_keys
    ].freeze
    # Methods that take several keys. They are allowed if the only key is `error`.
    KEY_READERS = %i[values_at fetch_values slice].freeze
    FILL = Hash.instance_method(:replace)

    ((Hash.instance_methods(false) | Enumerable.instance_methods) - NEUTRAL).each { |name| undef_method(name) }

    # Parses the host's reply to a refused call: `F3 422` with the ordinal number and the status, a line break, and the response.
    def self.read(reply, request)
      head, text = reply.split("\n", 2)
      ordinal, status = head.delete_prefix("F").split.map(&:to_i)
      body = Answer.parse(text)
      body = Answer.new.update("error" => body) unless Hash === body && body.has_key?("error")
      call = RefusedCall.new(ordinal, status, *request.values_at(:method, :path, :line), body["error"], false)
      Run.current.refused_calls << call
      new(call, body)
    end

    def initialize(call, body)
      @call = call
      FILL.bind_call(self, body)
    end

    KEY_CHECKS.each { |name| define_method(name) { |key| look.key?(key) } }
    READERS.each { |name| define_method(name) { |*arguments, &block| look.public_send(name, *arguments, &block) } }

    KEY_READERS.each do |name|
      define_method(name) { |*keys| keys.all? { |key| error?(key) } ? look.public_send(name, *keys) : refuse }
    end

    def [](key) = error?(key) ? look[key] : refuse
    def fetch(key, *, &) = self[key]
    def dig(key, *rest) = rest.empty? ? self[key] : self[key].dig(*rest)

    # Any other method raises, because there is no record on which to call it.
    def method_missing(*, **) = refuse
    def respond_to_missing?(*) = false

    private

    def error?(key) = "error" == key || :error == key

    # Called if the response is part of the program's result, so that a person or a model can see the refusal.
    def give_back
      @call.returned = true
      Answer.new.update(self)
    end

    def look
      @call.looked_at = true
      Answer.new.update(self)
    end

    def refuse
      @call.looked_at = true
      raise RefusedError.new(@call.sentence, @call)
    end
  end
end
