# Raised if the program of a task cannot be rehearsed, or if its run would fail.
class RehearsalFailed < StandardError; end

module Sandbox
  # Runs the program of a task within a dry run, as the task's trigger would. The host limits it to the rights of the task's own runs, and
  # refuses it outside of a dry run.
  class Rehearsal
    MARK = /\A#[ \t]*ruby[ \t]*(?:\r?\n|\z)/
    PATH = "prompt"
    # A task run looks for settings in this many lines at the start of its program.
    SETTING_LINES = 10
    LEFT_ASIDE = {
      /^[ \t]*#+[ \t]*once[ \t]*[:=][ \t]*(\S+)/i => "a run with this key happens once in 24 hours",
      /^[ \t]*#+[ \t]*atomic[ \t]*[:=][ \t]*(?:false|no|off)\b/i => "each call commits by itself, and an error undoes none"
    }.freeze

    def initialize(task, event, data, previous)
      @task = read(task)
      @prompt = @task["prompt"]
      raise RehearsalFailed, "The prompt's first line is not \"# ruby\", so an external agent does its runs; only programs can be rehearsed." unless MARK.match?(@prompt)
      @event = event_of(event, data, previous)
      tell_of_settings
    end

    # Returns the status and the summary that a task run would have. Nothing is rehearsed while a plan is applied.
    def play
      ids = Rehearsal.ask(@task["id"])
      return Answer.new.update("status" => "completed", "summary" => "Not rehearsed again: the plan is applied.") unless ids
      run = run_of(ids)
      before = Run.current.refused_calls.size
      printed, value = held { perform(run) }
      fail_for_refusals(before)
      Answer.new.update("status" => "completed", "summary" => printed.empty? ? value : printed)
    ensure
      Rehearsal.ask("") if run
    end

    # Asks the host to start a rehearsal; the reply contains ids, or is null if the program applies a plan. Without a task, ends the rehearsal.
    def self.ask(task)
      reply = Bridge.ask("H#{task}")
      body = reply.byteslice(1, reply.bytesize)
      case reply[0]
      when "A" then Answer.parse("[#{body}]").first
      when "F" then raise RehearsalFailed, body
      else raise Stop, body
      end
    end

    private

    def read(task)
      id = Hash === task ? task["id"] : task
      raise TypeError, "rehearse takes a task or its id, not #{Plain::CLASS.bind_call(task)}" unless String === id
      Requests.call("GET", "/tasks/#{id}", nil, {})
    end

    def tell_of_settings
      head = @prompt.lines.first(SETTING_LINES).join
      LEFT_ASIDE.each do |setting, effect|
        line = head[setting] or next
        Run.current.note("The rehearsal leaves `#{line.strip[0, 100]}` aside; in runs of the task, #{effect}.")
      end
    end

    def event_of(type, data, previous)
      started_by = @task["trigger_type"]
      if started_by != "event"
        raise RehearsalFailed, "The task's trigger_type is #{started_by}, so its runs have no event; leave out event: and data:." if type || data
        return
      end
      types = @task["event_types"]
      type ||= types.first if types.size == 1 && @task["event_source"].nil?
      raise RehearsalFailed, "rehearse needs event:, the type of the event, such as #{(types.first || "received").inspect}." unless String === type
      unless types.include?(type) || @task["event_source"]
        raise RehearsalFailed, "No event #{type[0, 100].inspect} starts the task; its event_types are #{types.join(", ")}."
      end
      raise RehearsalFailed, "rehearse needs data:, what the event is about, such as data: get(\"/orders\")[\"data\"].first for an order." unless Hash === data
      { "type" => type, "data" => plain(data), **(previous ? { "previous_attributes" => plain(previous) } : {}) }
    end

    # Converts a value to the form that API calls return: only JSON values, with strings as keys.
    def plain(value) = Answer.parse(JSON.generate(ParameterPlain.new("data").convert(value)))

    def run_of(ids)
      now = Time.now.utc.iso8601
      blank = (RESOURCES.dig("task_run", "fields") || {}).keys.to_h { |name| [name, nil] }
      event = @event && Answer.new.update(@task["event_source"] ? @event : { "id" => ids["event"], "created_at" => now, **@event })
      Answer.new.update(
        **blank, "id" => ids["run"], "object" => "task_run", "task_id" => @task["id"], "task" => @task["id"], "task_name" => @task["name"],
        "status" => "running", "event" => event, "created_at" => now, "updated_at" => now, "started_at" => now
      )
    end

    # Runs the program. An empty line replaces its first line, so that all other lines keep their numbers.
    def perform(run)
      code = "\n#{@prompt.sub(MARK, "")}"
      program = Runner.compile(code, PATH, "run")
      Paths.check(code)
      summary_of(Plain.new("result").convert(program.call(run)))
    rescue NoMemoryError, SystemStackError, Stop
      raise
    rescue Exception => error
      raise RehearsalFailed, sentence(Failure.new(error, code, PATH).to_h)
    end

    def sentence(failure)
      place = failure[:line] ? " (line #{failure[:line]} of the prompt)" : ""
      hint = failure[:hint] ? " #{failure[:hint]}" : ""
      "The task would fail: #{failure[:message]}#{place}.#{hint}".sub("..", ".")
    end

    def summary_of(value) = String === value || value.nil? ? value : JSON.generate(value)

    # Runs the block and keeps its printed text, which is the summary of a run. If the program fails, the text is printed.
    def held
      text = Run.current.held = +""
      value = yield
      Run.current.held = nil
      [text, value]
    ensure
      Run.current.held = nil
      $stdout.print(text) if value.nil? && $! && !text.empty?
    end

    def fail_for_refusals(before)
      refused = Run.current.refused_calls.drop(before).find { |call| call.verb != "GET" && !call.looked_at }
      return unless refused
      refused.looked_at = true
      raise RehearsalFailed, "The task would fail: #{refused.sentence.delete_suffix(".")}, and its program ignored the refusal."
    end
  end

  module RehearsalSurface
    private

    def rehearse(task, event: nil, data: nil, previous_attributes: nil)
      raise Forbidden, Requests::IN_SEARCH unless Run.current.may_request?
      Rehearsal.new(task, event, data, previous_attributes).play
    end
  end

  Object.include(RehearsalSurface)
end
