"use strict";
// Where a subject connects to: its own trial's ports are let through, everything else is refused where it is seen.
//
// Seen is `net.Socket.prototype.connect`, so everything that is made of Node's sockets: http, https, http2, tls, fetch
// and undici, in every thread. Not seen are native addons that make their system calls themselves (gRPC's old one,
// database drivers in C) and child processes. For them attempts below HTTP cannot be counted and a connect elsewhere
// is not refused here; the container's network does that.

const dgram = require("node:dgram");
const net = require("node:net");
const { Names, literal, nameOf } = require("./names.cjs");
const { oneLine } = require("./masks.cjs");
const { now } = require("./phase.cjs");

/** Connects to somewhere else that are reported in a trial. */
const MOST_ELSEWHERE = 50;

const REFUSED = { errno: -111, code: "ECONNREFUSED", syscall: "connect" };
const UNREACHABLE = { errno: -101, code: "ENETUNREACH", syscall: "send" };

const later = process.nextTick;

/** A thread's outgoing connects, watched; before the trial begins every one is refused, and none reported. */
class Network {
  #shared;
  #report;
  #names;
  #ports = null;
  #elsewhere = new Set();

  constructor(shared, report) {
    this.#shared = shared;
    this.#report = report;
    this.#names = new Names(shared, (to) => this.#other(to));
  }

  install() {
    const network = this;
    const connect = net.Socket.prototype.connect;
    net.Socket.prototype.connect = function (...parameters) {
      // net.connect hands on its parameters as it has read them, others give theirs as they come.
      const normalized = Array.isArray(parameters[0]) ? parameters[0] : net._normalizeArgs(parameters);
      if (!normalized[0].path) normalized[0] = network.#leads(normalized[0]);
      return Reflect.apply(connect, this, [normalized]);
    };
    refuseDatagrams();
    this.#names.install();
  }

  /** Where a connect with these options leads, after it has been told: to our own, or to an error. */
  #leads(options) {
    const host = nameOf(options.host ?? "localhost");
    const port = Number(options.port);
    const standIn = this.#names.standIn(host);
    if (standIn !== undefined) {
      const own = standIn.ports[port];
      if (own !== undefined) {
        this.#own(own);
        return { ...options, host: "127.0.0.1", port: own, lookup: undefined };
      }
      this.#other(`${standIn.host}:${port}`);
      return failing(options, refused(host, port));
    }
    if ((host === "127.0.0.1" || host === "localhost") && this.#endpoint(port) !== undefined) {
      this.#own(port);
      return options;
    }
    this.#other(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);
    const known = literal(host) || this.#names.isLoopback(host);
    return failing(options, known ? refused(host, port) : this.#names.unknown(host));
  }

  /** The name of the endpoint at one of the trial's ports. */
  #endpoint(port) {
    const order = this.#shared.order;
    if (order === null) return undefined;
    if (this.#ports === null) {
      const hosts = Object.values(order.hosts).flatMap(([name, ...ports]) => ports.map((each) => [each, name]));
      const urls = Object.entries(order.endpoints).map(([name, url]) => [Number(new URL(url).port), name]);
      this.#ports = new Map([...hosts, ...urls]);
    }
    return this.#ports.get(port);
  }

  #own(port) {
    const { call, order } = this.#shared;
    if (this.#shared.connected() > order.attempt_limit && call > 0) {
      this.#report("limit", { call });
      block();
    }
    this.#report("connect", { at: now(), to: `127.0.0.1:${port}`, endpoint: this.#endpoint(port) });
  }

  #other(destination) {
    const { call, order } = this.#shared;
    const to = oneLine(destination, 100);
    const key = `${call} ${to}`;
    if (order === null || this.#elsewhere.has(key) || this.#elsewhere.size >= MOST_ELSEWHERE) return;
    this.#elsewhere.add(key);
    this.#report("connect", { at: now(), to, endpoint: null });
  }
}

/** A connect that fails so. Node itself has it fail, for all that hangs on a socket: the name is not found. */
function failing(options, error) {
  return { ...options, host: "elsewhere", lookup: (_name, _options, answer) => later(answer, error) };
}

/** The error as Node words it. */
function refused(address, port) {
  return Object.assign(new Error(`connect ECONNREFUSED ${address}:${port}`), REFUSED, { address, port });
}

/** Quietly: it is how code finds the machine's own address, and how statistics are sent. */
function refuseDatagrams() {
  const fail = (parameters) => {
    const answer = parameters.at(-1);
    const error = Object.assign(new Error("send ENETUNREACH"), UNREACHABLE);
    if (typeof answer === "function") later(answer, error);
  };
  for (const name of ["send", "connect"]) {
    dgram.Socket.prototype[name] = function (...parameters) {
      fail(parameters);
    };
  }
}

/** Wait until the process is killed. */
function block() {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

module.exports = { Network };
