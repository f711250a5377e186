/** What nvidia-smi prints, in each of its forms, to the byte. */

import { describe, expect, it } from "vitest";
import { MIB, sample, open, openText, facts, series, bytesOf, notes, codes, codeOf } from "./read-logs.ts";

describe("nvidia-smi", () => {
  it("has devices, times and missing values of a query in a loop", () => {
    const opened = open("nvidia-smi-query-gpu.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([612 * MIB, 9874 * MIB, 18730 * MIB]);
    expect(bytesOf(opened, "device_used", 1)).toEqual([11 * MIB, 11 * MIB]);
    expect(bytesOf(opened, "other", 0, "memory.reserved")).toEqual([425 * MIB, 425 * MIB, 425 * MIB]);
    expect([...series(opened, "device_used", 0).seconds!].map((time) => time.toFixed(3))).toEqual([
      "0.000",
      "1.000",
      "2.001",
    ]);
    expect([...series(opened, "device_used", 0).lines!]).toEqual([2, 4, 6]);
    expect(series(opened, "device_used", 0).roundingBytes).toBe(MIB / 2);
    expect(facts(opened, "device_total", "memory.total")).toEqual([
      [0, -1, 24564 * MIB],
      [1, -1, 24564 * MIB],
    ]);
    expect(notes(opened)).toEqual({ "GPU 0": "NVIDIA GeForce RTX 4090", "GPU 1": "NVIDIA GeForce RTX 4090" });
    expect(codes(opened)).toEqual(["smi_not_available", "smi_not_available"]);
  });

  it("tells devices apart by UUID, and takes plain numbers as MiB", () => {
    const opened = open("nvidia-smi-nounits.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([2048 * MIB, 4096 * MIB]);
    expect(bytesOf(opened, "device_used", 1)).toEqual([512 * MIB, 513 * MIB]);
  });

  it("says which columns it took a table without header to have", () => {
    const opened = open("nvidia-smi-noheader.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([1834 * MIB, 1902 * MIB, 7310 * MIB]);
    expect(facts(opened, "device_total", "memory.total")).toEqual([[0, -1, 40960 * MIB]]);
    expect(opened.notes[0]).toMatchObject({
      code: "smi_columns_guessed",
      args: { columns: "timestamp, index, memory.used, memory.total" },
    });
    const one = openText("1834 MiB\n1902 MiB\n");
    expect(bytesOf(one, "device_used")).toEqual([1834 * MIB, 1902 * MIB]);
    const app = openText("4021, python, 3318 MiB\n");
    expect(app.readings!.series[0]).toMatchObject({ quantity: "process", process: 4021, label: "python" });
  });

  it("asks for a header where columns cannot be told", () => {
    expect(codeOf(() => openText("2025/03/14 09:26:53.100, 3, 1834, 40960, 12\n"))).toBe("smi_no_columns");
  });

  it("has processes of a query, with commas in their names", () => {
    const opened = open("nvidia-smi-compute-apps.csv");
    expect(
      opened.readings!.series.map(({ device, process, label, bytes }) => [device, process, label, ...bytes]),
    ).toEqual([
      [0, 4021, "python", 3318 * MIB, 3320 * MIB],
      [1, 4190, "/opt/tools/serve --names a,b", 21044 * MIB],
    ]);
  });

  it("reads tables of all generations", () => {
    const now = open("nvidia-smi-table.txt");
    expect(bytesOf(now, "device_used", 0)).toEqual([15342 * MIB]);
    expect(bytesOf(now, "device_used", 1)).toEqual([4 * MIB]);
    expect(facts(now, "device_total", "total")).toEqual([
      [0, -1, 81559 * MIB],
      [1, -1, 81559 * MIB],
    ]);
    expect(series(now, "process", 0)).toMatchObject({ process: 51007, label: "python train.py" });
    expect(notes(now)).toMatchObject({
      "driver version": "550.90.07",
      "CUDA version": "12.4",
      "GPU 1": "NVIDIA H100 80GB HBM3",
    });

    const old = open("nvidia-smi-table-2017.txt");
    expect(bytesOf(old, "device_used", 0)).toEqual([8911 * MIB]);
    expect(
      old
        .readings!.series.filter(({ process }) => process >= 0)
        .map(({ process, label, bytes }) => [process, label, bytes[0]]),
    ).toEqual([
      [1203, "/usr/lib/xorg/Xorg", 164 * MIB],
      [20411, "python", 8735 * MIB],
    ]);

    const mig = open("nvidia-smi-table-mig.txt");
    expect(bytesOf(mig, "device_used", 0)).toEqual([3127 * MIB]);
    expect(bytesOf(mig, "device_used", 0, "MIG 1/0")).toEqual([3090 * MIB]);
    expect(bytesOf(mig, "device_used", 0, "MIG 2/0")).toEqual([37 * MIB]);
    expect(series(mig, "process", 0)).toMatchObject({ process: 77120, label: "python3" });

    const windows = open("nvidia-smi-table-windows.txt");
    expect(bytesOf(windows, "device_used", 0)).toEqual([1187 * MIB]);
    expect(windows.readings!.series).toHaveLength(1);
    expect(codes(windows)).toEqual(["smi_not_available"]);
  });

  it("reads an indented table, and the banner of drivers since 610", () => {
    const text = new TextDecoder()
      .decode(sample("nvidia-smi-table.txt"))
      .replace(
        "Driver Version: 550.90.07      CUDA Version: 12.4 ",
        "KMD Version: 610.43.02     CUDA UMD Version: 13.3 ",
      );
    const opened = openText(text.replaceAll(/^(?=.)/gm, "    "));
    expect(bytesOf(opened, "device_used", 0)).toEqual([15342 * MIB]);
    expect(series(opened, "process", 0).label).toBe("python train.py");
    expect(notes(opened)).toMatchObject({ "driver version": "610.43.02", "CUDA version": "13.3" });
  });

  it("reads tables that a loop repeats", () => {
    const text = new TextDecoder().decode(sample("nvidia-smi-table.txt"));
    const later = text.replace("09:26:53", "09:26:58").replace("15342MiB", "20000MiB");
    const opened = openText(text + later);
    expect(bytesOf(opened, "device_used", 0)).toEqual([15342 * MIB, 20000 * MIB]);
    expect([...series(opened, "device_used", 0).seconds!]).toEqual([0, 5]);
  });

  it("reads dmon and pmon", () => {
    const dmon = open("nvidia-smi-dmon.txt");
    expect(bytesOf(dmon, "device_used", 0)).toEqual([1520 * MIB, 33890 * MIB]);
    expect(bytesOf(dmon, "device_used", 1)).toEqual([4 * MIB]);
    expect(bytesOf(dmon, "other", 0, "bar1")).toEqual([2 * MIB, 4 * MIB]);
    expect([...series(dmon, "device_used", 0).seconds!]).toEqual([0, 1]);
    const pmon = open("nvidia-smi-pmon.txt");
    expect(
      pmon.readings!.series.map(({ device, process, label, bytes }) => [device, process, label, ...bytes]),
    ).toEqual([
      [0, 31337, "python", 2210 * MIB, 6120 * MIB],
      [1, 31400, "trtexec", 410 * MIB],
    ]);
  });

  it("reads -q as text and as XML", () => {
    const text = open("nvidia-smi-q.txt");
    expect(bytesOf(text, "device_used", 0)).toEqual([15342 * MIB]);
    expect(bytesOf(text, "device_free", 1)).toEqual([81004 * MIB]);
    expect(series(text, "process", 0)).toMatchObject({ process: 51007, label: "python" });
    const xml = open("nvidia-smi-q.xml");
    expect(bytesOf(xml, "device_used", 0)).toEqual([15342 * MIB]);
    expect(facts(xml, "device_total", "total")).toEqual([[0, -1, 81559 * MIB]]);
    expect(series(xml, "process", 0)).toMatchObject({ process: 51007, label: "python & more" });
    expect(notes(xml)).toMatchObject({ "GPU 0": "NVIDIA H100 80GB HBM3" });
  });

  it("has gpustat's and GPUtil's devices and processes", () => {
    const opened = open("gpustat.txt");
    expect(bytesOf(opened, "device_used", 0)).toEqual([33890 * MIB]);
    expect(
      opened
        .readings!.series.filter(({ quantity }) => quantity === "process")
        .map(({ process, label, bytes }) => [process, label, bytes[0]]),
    ).toEqual([
      [31337, "ann:python", 33120 * MIB],
      [-1, "bob", 412 * MIB],
    ]);
    const json = open("gpustat.json");
    expect(bytesOf(json, "device_used", 0)).toEqual([33890 * MIB]);
    expect(json.readings!.series[1]).toMatchObject({ quantity: "process", process: 31337, label: "ann:python" });
    const accounted = openText("pid, max_memory_usage [MiB]\n4021, 3318 MiB\n", "x.csv");
    expect(accounted.readings!.series[0]).toMatchObject({ quantity: "process", process: 4021 });
    const util = open("gputil.txt");
    expect(bytesOf(util, "device_used", 0)).toEqual([7301 * MIB]);
    expect(facts(util, "device_total", "total")).toEqual([[0, -1, 16160 * MIB]]);
  });
});
